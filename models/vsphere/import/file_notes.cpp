#include "models/vsphere/import/file_notes.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "models/vsphere/import/text.hpp"

namespace vgsim::vsphere::import {

input::Location FileNotes::at(Place place) const {
  return {source_, std::min(place.offset, source_->text.size()),
          std::max<std::size_t>(place.length, 1)};
}

void FileNotes::error(const input::ErrorCode& code, Place place, std::string message,
                      std::string expected) {
  errors.error(code.code, at(place), "", std::move(message), std::move(expected));
}

void FileNotes::warning(const input::ErrorCode& code, Place place, std::string message,
                        std::string expected) {
  warnings.warning(code.code, at(place), "", std::move(message), std::move(expected));
}

std::optional<std::int64_t> FileNotes::number(std::string_view text, Place place,
                                              const std::string& what, std::int64_t min,
                                              std::int64_t max) {
  const auto value = whole_number(text);
  if (value && *value >= min && *value <= max) return value;
  error(codes::kBadValue, place, fmt::format("{} is \"{}\"", what, printable(text)),
        fmt::format("a whole number from {} to {}", min, max));
  return std::nullopt;
}

bool FileNotes::is_plain_text(std::size_t max_bytes) {
  const std::size_t nul = text().find('\0');
  if (text().size() > max_bytes) {
    error(codes::kTooMuch, {}, fmt::format("the file has {} bytes", text().size()),
          fmt::format("at most {} MiB", max_bytes >> 20));
    return false;
  }
  if (nul == std::string_view::npos) return true;
  error(codes::kNotThisFormat, {nul, 1}, "a NUL character", "text");
  return false;
}

}  // namespace vgsim::vsphere::import
