#include "topology/importers/dump_notes.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace vgsim::topology {

void DeviceSentences::add(const std::string& what, const std::string& who) {
  const auto [known, is_new] = index_.emplace(what, list_.size());
  if (is_new) list_.push_back({what, {}, {}});
  Sentence& sentence = list_[known->second];
  if (!who.empty() && sentence.known.insert(who).second) sentence.who.push_back(who);
}

void DeviceSentences::tell(std::vector<std::string>& sentences, std::size_t most) const {
  for (const auto& [what, who, known] : list_) {
    sentences.push_back(who.empty() ? what : fmt::format("{}: {}", what, few_of(who, most)));
  }
}

input::Location DumpNotes::at(const Piece& piece) const {
  return at(piece.offset, std::max<std::size_t>(piece.text.size(), 1));
}

input::Location DumpNotes::last(const std::vector<std::string>& words) const {
  for (const std::string& word : words) {
    const std::size_t offset = word.empty() ? word.npos : source_->text.rfind(word);
    if (offset != word.npos) return at(offset, word.size());
  }
  return at(0);
}

void DumpNotes::error(const input::ErrorCode& code, const input::Location& where,
                      std::string message, std::string expected) {
  diagnostics_.error(code.code, where, "", std::move(message), std::move(expected));
}

DumpNotes::Warnings& DumpNotes::warnings_of(const input::ErrorCode& code) {
  for (Warnings& known : warnings_) {
    if (known.code->code == code.code) return known;
  }
  return warnings_.emplace_back(Warnings{&code, {}, {}});
}

void DumpNotes::warn(const input::ErrorCode& code, const input::Location& where,
                     const std::string& what, const std::string& who) {
  Warnings& warnings = warnings_of(code);
  warnings.sentences.add(what, who);
  warnings.where.resize(warnings.sentences.size(), where);
}

void DumpNotes::warn_last(const input::ErrorCode& code, const std::vector<std::string>& words,
                          const std::string& what, const std::string& who) {
  Warnings& warnings = warnings_of(code);
  warnings.sentences.add(what, who);
  if (warnings.where.size() < warnings.sentences.size()) warnings.where.push_back(last(words));
}

void DumpNotes::tell(inventory::Inventory& host) const {
  skipped_.tell(host.skipped);
  assumed_.tell(host.assumed);
  for (const auto& [code, sentences, where] : warnings_) {
    std::vector<std::string> all;
    sentences.tell(all);
    for (std::size_t i = 0; i < all.size(); ++i) {
      host.warnings.warning(code->code, where[i], "", all[i]);
    }
  }
}

tl::expected<inventory::Inventory, input::Diagnostics> DumpNotes::finish(
    inventory::Inventory host) const {
  if (failed()) return tl::unexpected(diagnostics_);
  host.warnings.append(diagnostics_);
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
