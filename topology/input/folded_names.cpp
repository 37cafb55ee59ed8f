#include "topology/input/folded_names.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string_view>
#include <tuple>

#include "topology/input/name_ranges.hpp"

namespace vgsim::input {
namespace {

constexpr std::size_t kMostFoldedDigits = 9;
constexpr std::size_t kMostFoldedBytes = 900;  ///< the last number can add a few more

using Span = std::pair<std::size_t, std::size_t>;  ///< start of the digits, and their count

bool is_digit_in_name(char c) { return c >= '0' && c <= '9'; }

/// The digits in a name that a range can enumerate.
std::vector<Span> numbers_in(std::string_view name) {
  std::vector<Span> spans;
  for (std::size_t at = 0; at < name.size();) {
    std::size_t end = at;
    while (end < name.size() && is_digit_in_name(name[end])) ++end;
    if (end > at && end - at <= kMostFoldedDigits) spans.emplace_back(at, end - at);
    at = std::max(end, at + 1);
  }
  return spans;
}

/// The name with "#" in place of its numbers.
std::string skeleton_of(std::string_view name, const std::vector<Span>& spans) {
  std::string skeleton;
  std::size_t at = 0;
  for (const auto& [begin, size] : spans) {
    skeleton += name.substr(at, begin - at);
    skeleton += '#';
    at = begin + size;
  }
  skeleton += name.substr(at);
  return skeleton;
}

/// A name split at the enumerated number; without one all of it is `before`.
struct AroundNumber {
  std::string before;
  std::string digits;
  std::string after;
};

/// Splits each name at the number that differs most among names that are equal otherwise.
std::vector<AroundNumber> split_names(const std::vector<std::string>& names) {
  std::map<std::string, std::vector<std::set<std::string_view>>> values;
  const auto visit = [&](const std::string& name, auto&& take) {
    const std::vector<Span> spans = numbers_in(name);
    auto& of_places = values[skeleton_of(name, spans)];
    of_places.resize(spans.size());
    take(spans, of_places);
  };
  for (const std::string& name : names) {
    visit(name, [&](const auto& spans, auto& of_places) {
      for (std::size_t i = 0; i < spans.size(); ++i) {
        of_places[i].insert(std::string_view(name).substr(spans[i].first, spans[i].second));
      }
    });
  }
  std::vector<AroundNumber> result;
  for (const std::string& name : names) {
    visit(name, [&](const auto& spans, auto& of_places) {
      if (spans.empty()) return result.push_back({name, "", ""});
      const auto most =
          std::max_element(of_places.rbegin(), of_places.rend(),
                           [](const auto& a, const auto& b) { return a.size() < b.size(); });
      const Span span = spans[static_cast<std::size_t>(of_places.rend() - most) - 1];
      result.push_back({name.substr(0, span.first), name.substr(span.first, span.second),
                        name.substr(span.first + span.second)});
    });
  }
  return result;
}

/// Names of one family as a range text that is extended name by name.
class RangeText {
 public:
  void add(const AroundNumber& name) {
    if (count_ == 0) around_ = name;
    const std::uint64_t number = name.digits.empty() ? 0 : std::stoull(name.digits);
    const bool same_width = name.digits.size() == last_.size();
    const bool unpadded = !first_.starts_with('0') && !name.digits.starts_with('0');
    if (count_ > 0 && number == number_ + 1 && (same_width || unpadded)) {
      last_ = name.digits;
    } else {
      close_run();
      first_ = last_ = name.digits;
    }
    number_ = number;
    ++count_;
  }

  [[nodiscard]] std::size_t size() const {
    return around_.before.size() + body_.size() + around_.after.size();
  }
  [[nodiscard]] std::size_t count() const { return count_; }

  [[nodiscard]] std::string text() && {
    if (count_ == 1) return around_.before + first_ + around_.after;
    close_run();
    return around_.before + "[" + body_ + "]" + around_.after;
  }

 private:
  void close_run() {
    if (first_.empty()) return;
    if (!body_.empty()) body_ += ',';
    body_ += first_ == last_ ? first_ : first_ + "-" + last_;
  }

  AroundNumber around_;
  std::string body_;
  std::string first_;  ///< of the current run
  std::string last_;
  std::uint64_t number_ = 0;
  std::size_t count_ = 0;
};

}  // namespace

/// A family is a set of names that differ in one number only. Its numbers are written in the order
/// of the first names; a text that grows too long is split.
std::vector<FoldedNames> fold_pairs(const std::vector<std::pair<std::string, std::string>>& pairs) {
  std::vector<std::pair<std::string, std::string>> sorted = pairs;
  std::ranges::sort(sorted,
                    [](const auto& a, const auto& b) { return natural_less(a.first, b.first); });
  std::vector<std::string> names;
  std::vector<std::string> others;
  for (const auto& [name, other] : sorted) {
    names.push_back(name);
    others.push_back(other);
  }
  const std::vector<AroundNumber> first = split_names(names);
  const std::vector<AroundNumber> second = split_names(others);
  std::map<std::tuple<std::string, std::string, std::string, std::string>, std::size_t> families;
  std::vector<std::pair<RangeText, RangeText>> texts;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto [family, is_new] = families.try_emplace(
        {first[i].before, first[i].after, second[i].before, second[i].after}, texts.size());
    const bool is_full =
        !is_new && std::max(texts[family->second].first.size(),
                            texts[family->second].second.size()) > kMostFoldedBytes;
    if (is_new || is_full) {
      family->second = texts.size();
      texts.emplace_back();
    }
    texts[family->second].first.add(first[i]);
    texts[family->second].second.add(second[i]);
  }
  std::vector<FoldedNames> folded;
  for (auto& [name, other] : texts) {
    const std::size_t count = name.count();
    folded.push_back({std::move(name).text(), std::move(other).text(), count});
  }
  return folded;
}

std::vector<FoldedNames> fold_names(const std::vector<std::string>& names) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const std::string& name : names) pairs.emplace_back(name, name);
  return fold_pairs(pairs);
}

}  // namespace vgsim::input
