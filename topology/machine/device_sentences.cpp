#include "topology/machine/device_sentences.hpp"

#include <fmt/core.h>

#include "topology/machine/text.hpp"

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

}  // namespace vgsim::topology
