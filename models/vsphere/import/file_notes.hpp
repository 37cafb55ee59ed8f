#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "models/vsphere/import/text.hpp"
#include "models/vsphere/import/vm_facts.hpp"
#include "topology/importers/dump_notes.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/source_file.hpp"
#include "topology/inventory/import_codes.hpp"

namespace vgsim::vsphere::import {

namespace codes = topology::import_codes;

/// A stretch of the file that is being read.
struct Place {
  std::size_t offset = 0;
  std::size_t length = 1;
};

/// What is wrong with, or odd in, the file that is being read, every complaint at its place.
class FileNotes {
 public:
  explicit FileNotes(input::SourcePtr source) : source_(std::move(source)) {}

  [[nodiscard]] const input::SourcePtr& source() const { return source_; }
  [[nodiscard]] std::string_view text() const { return source_->text; }

  /// A value that this file tells.
  template <class T>
  [[nodiscard]] Told<T> told(T value) const {
    return {std::move(value), source_->path};
  }

  void error(const input::ErrorCode& code, Place place, std::string message,
             std::string expected = {});
  void warning(const input::ErrorCode& code, Place place, std::string message,
               std::string expected = {});

  /// A decimal number in a range; anything else is an error that calls it `what`.
  [[nodiscard]] std::optional<std::int64_t> number(std::string_view text, Place place,
                                                   const std::string& what, std::int64_t min,
                                                   std::int64_t max);
  /// An error, with a location in the file, if it is larger than that or holds a NUL.
  [[nodiscard]] bool is_plain_text(std::size_t max_bytes);

  /// Gives what was assumed, skipped and warned of since the last time to a result: a host, or the
  /// facts of the file.
  template <class Result>
  void hand_over(Result& result) {
    std::exchange(assumed, {}).tell(result.assumed);
    std::exchange(skipped, {}).tell(result.skipped);
    result.warnings.append(std::exchange(warnings, {}));
  }

  input::Diagnostics errors;
  input::Diagnostics warnings;
  topology::DeviceSentences assumed;
  topology::DeviceSentences skipped;

 private:
  [[nodiscard]] input::Location at(Place place) const;

  input::SourcePtr source_;
};

/// Sizes that no real machine has, so that a number beyond them is a mistake.
inline constexpr std::int64_t kMostCpus = 65536;
inline constexpr std::int64_t kMostMebibytes = std::int64_t{1} << 32;
inline constexpr std::int64_t kMebibyte = std::int64_t{1} << 20;

}  // namespace vgsim::vsphere::import
