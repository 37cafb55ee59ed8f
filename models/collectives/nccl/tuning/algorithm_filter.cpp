#include "models/collectives/nccl/tuning/algorithm_filter.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "topology/input/suggest.hpp"

namespace vgsim::collectives::nccl {
namespace {

using Error = tl::unexpected<std::string>;

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(separator, at), text.size());
    parts.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

template <class Word, std::size_t kCount>
std::vector<std::string> words_of() {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < kCount; ++i) words.emplace_back(to_string(static_cast<Word>(i)));
  return words;
}

/// The index of a word in a list, ignoring case; an error lists the valid words.
tl::expected<std::size_t, std::string> place_of(std::string_view word,
                                                const std::vector<std::string>& words) {
  if (lower_case(word) == "collnet") word = to_string(Algorithm::kCollNetChain);  // before 2.13
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (lower_case(words[i]) == lower_case(word)) return i;
  }
  std::string known;
  for (const std::string& name : words) known += (known.empty() ? "" : ", ") + name;
  const auto near = input::suggest(std::string(word), words);
  return Error(fmt::format("\"{}\" is not one of {}{}", word, known,
                           near.empty() ? "" : fmt::format("; did you mean \"{}\"?", near[0])));
}

/// One list, "a,b" or "^a,b", for the functions from `first` to `last`.
template <class Rules>
tl::expected<void, std::string> read_list(std::string_view list,
                                          const std::vector<std::string>& words, Rules& rules,
                                          std::size_t first, std::size_t last) {
  const bool except = list.starts_with('^');
  if (except) list.remove_prefix(1);
  for (std::size_t f = first; f <= last; ++f) {
    rules[f].fill(except ? FilterRule::kAllowed : FilterRule::kForbidden);
  }
  for (const std::string_view word : split(list, ',')) {
    const auto place = place_of(word, words);
    if (!place) return Error(place.error());
    for (std::size_t f = first; f <= last; ++f) {
      rules[f][*place] = except ? FilterRule::kForbidden : FilterRule::kAllowed;
    }
  }
  return {};
}

template <class Rules>
tl::expected<void, std::string> read_lists(std::string_view text,
                                           const std::vector<std::string>& words, Rules& rules) {
  for (std::string_view list : split(text, ';')) {
    std::size_t first = 0;
    std::size_t last = kFunctions - 1;
    if (const std::size_t colon = list.find(':'); colon != list.npos) {
      const auto function = place_of(list.substr(0, colon), words_of<Function, kFunctions>());
      if (!function) return Error(function.error());
      first = last = *function;
      list.remove_prefix(colon + 1);
    }
    if (auto read = read_list(list, words, rules, first, last); !read) return read;
  }
  return {};
}

}  // namespace

tl::expected<void, std::string> read_algorithms(std::string_view text, AlgorithmFilter& filter) {
  return read_lists(text, words_of<Algorithm, kAlgorithms>(), filter.algorithms);
}

tl::expected<void, std::string> read_protocols(std::string_view text, AlgorithmFilter& filter) {
  return read_lists(text, words_of<Protocol, kProtocols>(), filter.protocols);
}

}  // namespace vgsim::collectives::nccl
