#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "topology/input/diagnostics.hpp"
#include "topology/input/error_codes.hpp"
#include "topology/machine/device_sentences.hpp"
#include "topology/machine/inventory.hpp"
#include "topology/machine/text.hpp"

namespace vgsim::topology {

// Types used by all importers.
using inventory::Device;
using inventory::DeviceKind;
using inventory::Gpu;
using inventory::Inventory;
using inventory::Maybe;
using inventory::NvLinks;
using inventory::PathMatrix;
using inventory::Port;
using inventory::Stated;

/// An error about a whole file.
[[nodiscard]] tl::unexpected<input::Diagnostics> file_error(const input::ErrorCode& code,
                                                            const input::SourcePtr& source,
                                                            std::string message,
                                                            std::string expected);

/// A range of the current file.
struct Place {
  std::size_t offset = 0;
  std::size_t length = 1;
};

/// The notes of a reader about its file: errors, warnings, assumptions and omissions, each with its
/// position.
class FileNotes {
 public:
  explicit FileNotes(input::SourcePtr source) : source_(std::move(source)) {}

  [[nodiscard]] const input::SourcePtr& source() const { return source_; }
  [[nodiscard]] std::string_view text() const { return source_->text; }
  /// The location of a place, clipped to the file.
  [[nodiscard]] input::Location at(Place place) const;
  [[nodiscard]] input::Location at(std::size_t offset, std::size_t length = 1) const {
    return {source_, offset, length};
  }
  [[nodiscard]] input::Location at(const TextSpan& span) const;
  /// The last occurrence of the first of these words that the text contains; else the beginning of
  /// the file.
  [[nodiscard]] input::Location last(const std::vector<std::string>& words) const;

  /// A value with the file as its source.
  template <class T>
  [[nodiscard]] Stated<T> stated(T value) const {
    return {std::move(value), source_->path};
  }

  void error(const input::ErrorCode& code, const input::Location& where, std::string message,
             std::string expected = {});
  void error(const input::ErrorCode& code, Place place, std::string message,
             std::string expected = {});
  void warning(const input::ErrorCode& code, Place place, std::string message,
               std::string expected = {});
  void append(const input::Diagnostics& diagnostics) { errors_.append(diagnostics); }
  /// One warning for each `what`, at the first place, with a list of the subjects.
  void warn(const input::ErrorCode& code, const input::Location& where, const std::string& what,
            const std::string& who = {});
  /// The same for an unknown place, which is searched for if the warning is new.
  void warn_last(const input::ErrorCode& code, const std::vector<std::string>& words,
                 const std::string& what, const std::string& who);
  void skip(const std::string& what, const std::string& who = {}) { skipped_.add(what, who); }
  void assume(const std::string& what, const std::string& who = {}) { assumed_.add(what, who); }

  /// A decimal number in a range; otherwise reports an error about `what`.
  [[nodiscard]] std::optional<std::int64_t> number(std::string_view text, Place place,
                                                   const std::string& what, std::int64_t min,
                                                   std::int64_t max);
  /// Whether the file is at most that large and without NUL; otherwise reports an error with a
  /// location.
  [[nodiscard]] bool is_plain_text(std::size_t max_bytes);

  [[nodiscard]] bool failed() const { return errors_.has_errors(); }
  [[nodiscard]] const input::Diagnostics& errors() const { return errors_; }
  /// Moves the assumptions, omissions and warnings since the last call to a result: a host, or the
  /// facts of the file.
  template <class Result>
  void tell(Result& result) {
    std::exchange(skipped_, {}).tell(result.skipped);
    std::exchange(assumed_, {}).tell(result.assumed);
    tell_warnings(result.warnings);
  }
  /// The host with all notes, or the errors.
  [[nodiscard]] tl::expected<Inventory, input::Diagnostics> finish(Inventory host);

 private:
  /// Warnings of one code.
  struct Warnings {
    const input::ErrorCode* code = nullptr;
    DeviceSentences sentences;
    std::vector<input::Location> where;  ///< of each sentence
  };

  Warnings& warnings_of(const input::ErrorCode& code);
  void tell_warnings(input::Diagnostics& warnings);

  input::SourcePtr source_;
  input::Diagnostics errors_;
  input::Diagnostics single_warnings_;
  std::vector<Warnings> warnings_;
  DeviceSentences skipped_;
  DeviceSentences assumed_;
};

/// The name of a device in messages: "0000:3b:00.0", "GPU3", "mlx5_0".
[[nodiscard]] std::string name_in_messages(const Device& device);

}  // namespace vgsim::topology
