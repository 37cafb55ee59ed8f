#include "topology/input/suggest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace vgsim::input {
namespace {

constexpr std::size_t kMaxSuggestions = 3;
constexpr std::size_t kMaxWordBytes = 100;

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  const std::string from = lower(a);
  const std::string to = lower(b);
  // The last three rows of the table of distances between prefixes.
  std::vector<std::size_t> older;
  std::vector<std::size_t> previous(to.size() + 1);
  std::vector<std::size_t> current(to.size() + 1);
  for (std::size_t j = 0; j <= to.size(); ++j) previous[j] = j;
  for (std::size_t i = 1; i <= from.size(); ++i) {
    current[0] = i;
    for (std::size_t j = 1; j <= to.size(); ++j) {
      const std::size_t replace = previous[j - 1] + (from[i - 1] == to[j - 1] ? 0 : 1);
      current[j] = std::min({replace, previous[j] + 1, current[j - 1] + 1});
      const bool swapped = i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1];
      if (swapped) current[j] = std::min(current[j], older[j - 2] + 1);
    }
    older = previous;
    std::swap(previous, current);
  }
  return previous[to.size()];
}

namespace {

/// Candidates of several parts whose first part, "batch" of "batch_per_gpu", begins the word.
std::vector<std::string> with_same_beginning(std::string_view word,
                                             const std::vector<std::string>& candidates) {
  constexpr std::size_t kShortestPart = 4;
  const std::string written = lower(word);
  std::vector<std::string> found;
  for (const std::string& candidate : candidates) {
    const std::size_t end = candidate.find_first_of("_-");
    if (end == std::string::npos || end < kShortestPart) continue;
    if (written.starts_with(lower(candidate.substr(0, end)))) found.push_back(candidate);
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  if (found.size() > kMaxSuggestions) found.clear();  // too many to be meant
  return found;
}

}  // namespace

std::vector<std::string> suggest(std::string_view word,
                                 const std::vector<std::string>& candidates) {
  if (word.size() > kMaxWordBytes) return {};
  const std::size_t limit = std::max<std::size_t>(2, word.size() / 3);
  std::vector<std::tuple<std::size_t, std::string>> near;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > word.size() + limit || word.size() > candidate.size() + limit) continue;
    const std::size_t distance = edit_distance(word, candidate);
    if (distance <= limit && distance < candidate.size()) near.emplace_back(distance, candidate);
  }
  std::sort(near.begin(), near.end());
  near.erase(std::unique(near.begin(), near.end()), near.end());
  if (near.size() > kMaxSuggestions) near.resize(kMaxSuggestions);
  std::vector<std::string> result;
  for (auto& [distance, candidate] : near) result.push_back(std::move(candidate));
  return result.empty() ? with_same_beginning(word, candidates) : result;
}

std::string one_of(std::string_view word, std::vector<std::string> known,
                   std::string_view listed_by) {
  constexpr std::size_t kFew = 12;
  constexpr std::size_t kShown = 8;
  const std::size_t all = known.size();
  if (all > kFew) {
    const std::string_view compared = word.substr(0, kMaxWordBytes);
    std::stable_sort(known.begin(), known.end(), [&](const auto& a, const auto& b) {
      return edit_distance(compared, a) < edit_distance(compared, b);
    });
    known.resize(kShown);
  }
  std::string text = fmt::format("one of: {}", fmt::join(known, ", "));
  if (known.size() < all) text += fmt::format(" and {} more", all - known.size());
  if (known.size() < all && !listed_by.empty()) text += fmt::format(": {}", listed_by);
  return text;
}

}  // namespace vgsim::input
