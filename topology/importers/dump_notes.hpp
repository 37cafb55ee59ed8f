#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "topology/input/diagnostics.hpp"
#include "topology/input/error_codes.hpp"
#include "topology/inventory/inventory.hpp"

namespace vgsim::topology {

/// Sentences that hold for many devices: each is kept once, in the order of first mention, with the
/// devices behind it ("...: 0000:3b:00.0, 0000:5e:00.0").
class DeviceSentences {
 public:
  void add(const std::string& what, const std::string& who = {});
  [[nodiscard]] std::vector<std::string> all() const;

 private:
  std::vector<std::pair<std::string, std::vector<std::string>>> list_;
  std::map<std::string, std::size_t> index_;  ///< of each sentence in the list
};

/// One error of a whole file.
[[nodiscard]] input::Diagnostics file_error(const input::ErrorCode& code,
                                            const input::SourcePtr& source, std::string message,
                                            std::string expected);

/// What the reader of a dump has to say beside the inventory.
class DumpNotes {
 public:
  explicit DumpNotes(input::SourcePtr source) : source_(std::move(source)) {}

  /// A value with the file as its source.
  template <class T>
  [[nodiscard]] inventory::Told<T> told(T value) const {
    return {std::move(value), source_->path};
  }
  [[nodiscard]] input::Location at(std::size_t offset, std::size_t length = 1) const {
    return {source_, offset, length};
  }

  void skip(const std::string& what, const std::string& who = {}) { skipped_.add(what, who); }
  void assume(const std::string& what, const std::string& who = {}) { assumed_.add(what, who); }
  /// One warning for each `what`, at the place of the first.
  void warn(const input::ErrorCode& code, const input::Location& where, const std::string& what,
            const std::string& who = {});

  /// Hands everything to the inventory.
  void tell(inventory::Inventory& host) const;

 private:
  struct Warning {
    const input::ErrorCode* code;
    input::Location where;
    std::string what;
    std::vector<std::string> who;
  };

  input::SourcePtr source_;
  DeviceSentences skipped_;
  DeviceSentences assumed_;
  std::vector<Warning> warnings_;
};

}  // namespace vgsim::topology
