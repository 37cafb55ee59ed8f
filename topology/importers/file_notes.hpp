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

// What all importers speak of.
using inventory::Device;
using inventory::DeviceKind;
using inventory::Gpu;
using inventory::Inventory;
using inventory::Maybe;
using inventory::NvLinks;
using inventory::PathMatrix;
using inventory::Port;
using inventory::Told;

/// One error of a whole file.
[[nodiscard]] tl::unexpected<input::Diagnostics> file_error(const input::ErrorCode& code,
                                                            const input::SourcePtr& source,
                                                            std::string message,
                                                            std::string expected);

/// A stretch of the file that is being read.
struct Place {
  std::size_t offset = 0;
  std::size_t length = 1;
};

/// What the reader of a file has to say beside what it read: errors, warnings, what it assumed and
/// what it skipped, each at its place.
class FileNotes {
 public:
  explicit FileNotes(input::SourcePtr source) : source_(std::move(source)) {}

  [[nodiscard]] const input::SourcePtr& source() const { return source_; }
  [[nodiscard]] std::string_view text() const { return source_->text; }
  /// Within the file, whatever the place says.
  [[nodiscard]] input::Location at(Place place) const;
  [[nodiscard]] input::Location at(std::size_t offset, std::size_t length = 1) const {
    return {source_, offset, length};
  }
  [[nodiscard]] input::Location at(const Piece& piece) const;
  /// Where the first of these words that the text has stands in it for the last time; else its
  /// beginning.
  [[nodiscard]] input::Location last(const std::vector<std::string>& words) const;

  /// A value with the file as its source.
  template <class T>
  [[nodiscard]] Told<T> told(T value) const {
    return {std::move(value), source_->path};
  }

  void error(const input::ErrorCode& code, const input::Location& where, std::string message,
             std::string expected = {});
  void error(const input::ErrorCode& code, Place place, std::string message,
             std::string expected = {});
  void warning(const input::ErrorCode& code, Place place, std::string message,
               std::string expected = {});
  void append(const input::Diagnostics& diagnostics) { errors_.append(diagnostics); }
  /// One warning for each `what`, at the place of the first, with those it is about behind it.
  void warn(const input::ErrorCode& code, const input::Location& where, const std::string& what,
            const std::string& who = {});
  /// The same where the place is not at hand: searched for if the warning is new.
  void warn_last(const input::ErrorCode& code, const std::vector<std::string>& words,
                 const std::string& what, const std::string& who);
  void skip(const std::string& what, const std::string& who = {}) { skipped_.add(what, who); }
  void assume(const std::string& what, const std::string& who = {}) { assumed_.add(what, who); }

  /// A decimal number in a range; anything else is an error that calls it `what`.
  [[nodiscard]] std::optional<std::int64_t> number(std::string_view text, Place place,
                                                   const std::string& what, std::int64_t min,
                                                   std::int64_t max);
  /// An error, with a location in the file, if it is larger than that or holds a NUL.
  [[nodiscard]] bool is_plain_text(std::size_t max_bytes);

  [[nodiscard]] bool failed() const { return errors_.has_errors(); }
  [[nodiscard]] const input::Diagnostics& errors() const { return errors_; }
  /// Gives what was assumed, skipped and warned of since the last time to a result: a host, or the
  /// facts of the file.
  template <class Result>
  void tell(Result& result) {
    std::exchange(skipped_, {}).tell(result.skipped);
    std::exchange(assumed_, {}).tell(result.assumed);
    tell_warnings(result.warnings);
  }
  /// The host with all of them, or the errors.
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

/// How messages call a device: "0000:3b:00.0", "GPU3", "mlx5_0".
[[nodiscard]] std::string name_in_messages(const Device& device);

}  // namespace vgsim::topology
