#include "topology/importers/dump_notes.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "topology/importers/dump_words.hpp"

namespace vgsim::topology {
namespace {

std::string sentence(const std::string& what, const std::vector<std::string>& who) {
  return who.empty() ? what : fmt::format("{}: {}", what, few_of(who));
}

}  // namespace

void DeviceSentences::add(const std::string& what, const std::string& who) {
  const auto [known, is_new] = index_.emplace(what, list_.size());
  if (is_new) list_.emplace_back(what, std::vector<std::string>{});
  std::vector<std::string>& names = list_[known->second].second;
  if (!who.empty() && (names.empty() || names.back() != who)) names.push_back(who);
}

std::vector<std::string> DeviceSentences::all() const {
  std::vector<std::string> sentences;
  for (const auto& [what, who] : list_) sentences.push_back(sentence(what, who));
  return sentences;
}

void DumpNotes::warn(const input::ErrorCode& code, const input::Location& where,
                     const std::string& what, const std::string& who) {
  auto known = std::find_if(warnings_.begin(), warnings_.end(),
                            [&](const Warning& warning) { return warning.what == what; });
  if (known == warnings_.end()) known = warnings_.insert(known, {&code, where, what, {}});
  if (!who.empty()) known->who.push_back(who);
}

void DumpNotes::tell(inventory::Inventory& host) const {
  for (const std::string& words : skipped_.all()) host.skipped.push_back(words);
  for (const std::string& words : assumed_.all()) host.assumed.push_back(words);
  for (const auto& [code, where, what, who] : warnings_) {
    host.warnings.warning(code->code, where, "", sentence(what, who));
  }
}

input::Diagnostics file_error(const input::ErrorCode& code, const input::SourcePtr& source,
                              std::string message, std::string expected) {
  input::Diagnostics diagnostics;
  diagnostics.error(code.code, {source, 0, 1}, "", std::move(message), std::move(expected));
  return diagnostics;
}

}  // namespace vgsim::topology
