#include "topology/importers/file_notes.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "topology/machine/import_codes.hpp"

namespace vgsim::topology {

input::Location FileNotes::at(const TextSpan& span) const {
  return at(span.offset, std::max<std::size_t>(span.text.size(), 1));
}

input::Location FileNotes::at(Place place) const {
  return at(std::min(place.offset, source_->text.size()), std::max<std::size_t>(place.length, 1));
}

input::Location FileNotes::last(const std::vector<std::string>& words) const {
  for (const std::string& word : words) {
    const std::size_t offset = word.empty() ? word.npos : source_->text.rfind(word);
    if (offset != word.npos) return at(offset, word.size());
  }
  return at(0);
}

void FileNotes::error(const input::ErrorCode& code, const input::Location& where,
                      std::string message, std::string expected) {
  errors_.error(code.code, where, "", std::move(message), std::move(expected));
}

void FileNotes::error(const input::ErrorCode& code, Place place, std::string message,
                      std::string expected) {
  error(code, at(place), std::move(message), std::move(expected));
}

void FileNotes::warning(const input::ErrorCode& code, Place place, std::string message,
                        std::string expected) {
  single_warnings_.warning(code.code, at(place), "", std::move(message), std::move(expected));
}

std::optional<std::int64_t> FileNotes::number(std::string_view text, Place place,
                                              const std::string& what, std::int64_t min,
                                              std::int64_t max) {
  const auto value = whole_number(text);
  if (value && *value >= min && *value <= max) return value;
  error(import_codes::kBadValue, place, fmt::format("{} is \"{}\"", what, printable(text)),
        fmt::format("a whole number from {} to {}", min, max));
  return std::nullopt;
}

bool FileNotes::is_plain_text(std::size_t max_bytes) {
  const std::size_t nul = text().find('\0');
  if (text().size() > max_bytes) {
    error(import_codes::kTooMuch, Place{}, fmt::format("the file has {} bytes", text().size()),
          fmt::format("at most {} MiB", max_bytes >> 20));
    return false;
  }
  if (nul == std::string_view::npos) return true;
  error(import_codes::kNotThisFormat, Place{nul, 1}, "a NUL character", "text");
  return false;
}

FileNotes::Warnings& FileNotes::warnings_of(const input::ErrorCode& code) {
  for (Warnings& known : warnings_) {
    if (known.code->code == code.code) return known;
  }
  return warnings_.emplace_back(Warnings{&code, {}, {}});
}

void FileNotes::warn(const input::ErrorCode& code, const input::Location& where,
                     const std::string& what, const std::string& who) {
  Warnings& warnings = warnings_of(code);
  warnings.sentences.add(what, who);
  warnings.where.resize(warnings.sentences.size(), where);
}

void FileNotes::warn_last(const input::ErrorCode& code, const std::vector<std::string>& words,
                          const std::string& what, const std::string& who) {
  Warnings& warnings = warnings_of(code);
  warnings.sentences.add(what, who);
  if (warnings.where.size() < warnings.sentences.size()) warnings.where.push_back(last(words));
}

void FileNotes::tell_warnings(input::Diagnostics& warnings) {
  warnings.append(std::exchange(single_warnings_, {}));
  for (const auto& [code, sentences, where] : std::exchange(warnings_, {})) {
    std::vector<std::string> all;
    sentences.tell(all);
    for (std::size_t i = 0; i < all.size(); ++i) warnings.warning(code->code, where[i], "", all[i]);
  }
}

tl::expected<inventory::Inventory, input::Diagnostics> FileNotes::finish(
    inventory::Inventory host) {
  if (failed()) return tl::unexpected(errors_);
  host.warnings.append(errors_);
  tell(host);
  return host;
}

tl::unexpected<input::Diagnostics> file_error(const input::ErrorCode& code,
                                              const input::SourcePtr& source, std::string message,
                                              std::string expected) {
  input::Diagnostics diagnostics;
  diagnostics.error(code.code, {source, 0, 1}, "", std::move(message), std::move(expected));
  return tl::unexpected(std::move(diagnostics));
}

std::string name_in_messages(const inventory::Device& device) {
  if (!device.bus_id.empty()) return device.bus_id;
  if (device.gpu && device.gpu->index) return fmt::format("GPU{}", device.gpu->index->value);
  if (!device.ports.empty() && device.ports.front().name) return device.ports.front().name->value;
  if (device.gpu && device.gpu->uuid) return device.gpu->uuid->value;
  return "a device without a number";
}

}  // namespace vgsim::topology
