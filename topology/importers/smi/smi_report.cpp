#include "topology/importers/smi/smi_report.hpp"

#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>

namespace vgsim::topology {
namespace {

constexpr std::size_t kMostNamed = 5;

std::string named(const std::vector<std::string>& who) {
  const auto end = who.begin() + static_cast<std::ptrdiff_t>(std::min(who.size(), kMostNamed));
  const std::string first = fmt::format("{}", fmt::join(who.begin(), end, ", "));
  if (who.size() <= kMostNamed) return first;
  return fmt::format("{} and {} more", first, who.size() - kMostNamed);
}

}  // namespace

bool SmiSentences::add(const std::string& what, const std::string& who) {
  const auto [known, is_new] = index_.emplace(what, list_.size());
  if (is_new) list_.push_back({what, {}, {}});
  Sentence& sentence = list_[known->second];
  if (!who.empty() && sentence.known.insert(who).second) sentence.who.push_back(who);
  return is_new;
}

std::vector<std::string> SmiSentences::all() const {
  std::vector<std::string> sentences;
  for (const auto& [what, who, known] : list_) {
    sentences.push_back(who.empty() ? what : fmt::format("{}: {}", what, named(who)));
  }
  return sentences;
}

input::Location SmiReport::at(SmiPiece piece) const {
  return {source_, piece.offset, std::max<std::size_t>(piece.text.size(), 1)};
}

void SmiReport::error(const input::ErrorCode& code, const input::Location& where,
                      std::string message, std::string expected) {
  diagnostics_.error(code.code, where, "", std::move(message), std::move(expected));
}

input::Location SmiReport::last(const std::vector<std::string>& words) const {
  for (const std::string& word : words) {
    const std::size_t offset = word.empty() ? word.npos : source_->text.rfind(word);
    if (offset != word.npos) return at({word, offset});
  }
  return at({});
}

SmiReport::Warnings& SmiReport::warnings_of(const input::ErrorCode& code) {
  for (Warnings& known : warnings_) {
    if (known.code->code == code.code) return known;
  }
  return warnings_.emplace_back(Warnings{&code, {}, {}});
}

void SmiReport::warn(const input::ErrorCode& code, const input::Location& where,
                     const std::string& what, const std::string& who) {
  Warnings& warnings = warnings_of(code);
  if (warnings.sentences.add(what, who)) warnings.where.push_back(where);
}

void SmiReport::warn_last(const input::ErrorCode& code, const std::vector<std::string>& words,
                          const std::string& what, const std::string& who) {
  Warnings& warnings = warnings_of(code);
  if (warnings.sentences.add(what, who)) warnings.where.push_back(last(words));
}

tl::expected<inventory::Inventory, input::Diagnostics> SmiReport::finish(
    inventory::Inventory host) const {
  if (failed()) return tl::unexpected(diagnostics_);
  host.warnings.append(diagnostics_);
  for (const auto& [code, sentences, where] : warnings_) {
    const auto all = sentences.all();
    for (std::size_t i = 0; i < all.size(); ++i) {
      host.warnings.warning(code->code, where[i], "", all[i]);
    }
  }
  const auto skipped = skipped_.all();
  const auto assumed = assumed_.all();
  host.skipped.insert(host.skipped.end(), skipped.begin(), skipped.end());
  host.assumed.insert(host.assumed.end(), assumed.begin(), assumed.end());
  return host;
}

std::string smi_name_of(const inventory::Device& device) {
  if (!device.bus_id.empty()) return device.bus_id;
  if (device.gpu && device.gpu->index) return fmt::format("GPU{}", device.gpu->index->value);
  if (!device.ports.empty() && device.ports.front().name) return device.ports.front().name->value;
  if (device.gpu && device.gpu->uuid) return device.gpu->uuid->value;
  return "a device without a number";
}

}  // namespace vgsim::topology
