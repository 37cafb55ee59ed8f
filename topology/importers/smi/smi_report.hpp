#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "topology/importers/smi/smi_lines.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/error_codes.hpp"
#include "topology/inventory/inventory.hpp"

namespace vgsim::topology {

/// Sentences about devices: the same one about many is kept once, with those it is about behind it
/// ("...: GPU0, GPU1, GPU2, GPU3, GPU4 and 3 more"). In the order of first mention.
class SmiSentences {
 public:
  /// Whether the sentence is new.
  bool add(const std::string& what, const std::string& who = {});
  [[nodiscard]] std::vector<std::string> all() const;

 private:
  struct Sentence {
    std::string what;
    std::vector<std::string> who;
    std::set<std::string> known;  ///< the same devices
  };
  std::vector<Sentence> list_;
  std::map<std::string, std::size_t> index_;  ///< of each `what` in the list
};

/// What a reader of nvidia-smi output has to say beside the inventory.
class SmiReport {
 public:
  explicit SmiReport(input::SourcePtr source) : source_(std::move(source)) {}

  [[nodiscard]] const input::SourcePtr& source() const { return source_; }
  [[nodiscard]] input::Location at(SmiPiece piece) const;
  /// Where the first of these words that the text has stands in it for the last time; else its
  /// beginning.
  [[nodiscard]] input::Location last(const std::vector<std::string>& words) const;

  /// A value with this file as its source.
  template <class T>
  [[nodiscard]] inventory::Told<T> told(T value) const {
    return {std::move(value), source_->path};
  }

  void error(const input::ErrorCode& code, const input::Location& where, std::string message,
             std::string expected);
  void append(const input::Diagnostics& diagnostics) { diagnostics_.append(diagnostics); }
  /// One warning for each `what`, at the place of the first, with those it is about behind it.
  void warn(const input::ErrorCode& code, const input::Location& where, const std::string& what,
            const std::string& who = {});
  /// The same where the place is not at hand: searched for if the warning is new.
  void warn_last(const input::ErrorCode& code, const std::vector<std::string>& words,
                 const std::string& what, const std::string& who);
  void skip(const std::string& what, const std::string& who = {}) { skipped_.add(what, who); }
  void assume(const std::string& what, const std::string& who = {}) { assumed_.add(what, who); }

  [[nodiscard]] bool failed() const { return diagnostics_.has_errors(); }
  /// The host with all sentences and warnings, or the errors.
  [[nodiscard]] tl::expected<inventory::Inventory, input::Diagnostics> finish(
      inventory::Inventory host) const;

 private:
  struct Warnings {
    const input::ErrorCode* code = nullptr;
    SmiSentences sentences;
    std::vector<input::Location> where;  ///< of each sentence
  };

  Warnings& warnings_of(const input::ErrorCode& code);

  input::SourcePtr source_;
  input::Diagnostics diagnostics_;
  std::vector<Warnings> warnings_;
  SmiSentences skipped_;
  SmiSentences assumed_;
};

/// How messages call a device: "0000:3b:00.0", "GPU3", "mlx5_0".
[[nodiscard]] std::string smi_name_of(const inventory::Device& device);

}  // namespace vgsim::topology
