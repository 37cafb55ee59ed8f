#include "topology/input/matching_names.hpp"

#include <algorithm>
#include <functional>

namespace vgsim::input {
namespace {

using Words = std::vector<std::string>;

constexpr std::size_t kMaxBytes = 200;

bool is_small_letter(char c) { return c >= 'a' && c <= 'z'; }
bool is_figure(char c) { return c >= '0' && c <= '9'; }

/// "connectx", "7", "ndr" for "ConnectX-7 NDR".
Words words_in(std::string_view text) {
  Words words;
  bool inside = false;
  for (char c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    const bool belongs = is_small_letter(c) || is_figure(c) || c == '.';
    if (belongs && !inside) words.emplace_back();
    if (belongs) words.back() += c;
    inside = belongs;
  }
  return words;
}

bool stands_for(const std::string& written, const std::string& word) {
  if (written == word) return true;
  return word.starts_with(written) && word.size() > written.size() &&
         std::all_of(written.begin(), written.end(), is_small_letter) &&
         std::all_of(word.begin() + static_cast<std::ptrdiff_t>(written.size()), word.end(),
                     is_figure);
}

bool holds_in_a_row(const Words& written, const Words& name) {
  return std::search(name.begin(), name.end(), written.begin(), written.end(),
                     [](const std::string& n, const std::string& w) { return stands_for(w, n); }) !=
         name.end();
}

bool holds_anywhere(const Words& written, const Words& name) {
  return std::all_of(written.begin(), written.end(), [&](const std::string& w) {
    return std::any_of(name.begin(), name.end(),
                       [&](const std::string& n) { return stands_for(w, n); });
  });
}

using Fits = std::function<bool(const Words& written, const Words& name)>;

/// The known names that match, or whose alias matches.
std::vector<std::string> fitting(const Words& written, const std::vector<KnownName>& known,
                                 const Fits& fits) {
  std::vector<std::string> names;
  for (const KnownName& each : known) {
    const bool fit = fits(written, words_in(each.name)) ||
                     std::any_of(each.others.begin(), each.others.end(),
                                 [&](const auto& other) { return fits(written, words_in(other)); });
    if (fit) names.push_back(each.name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

std::vector<std::string> exactly_matching_names(std::string_view text,
                                                const std::vector<KnownName>& known) {
  const Words written = words_in(text.substr(0, kMaxBytes));
  return written.empty() ? std::vector<std::string>()
                         : fitting(written, known, std::equal_to<Words>());
}

std::vector<std::string> matching_names(std::string_view text,
                                        const std::vector<KnownName>& known) {
  const Words written = words_in(text.substr(0, kMaxBytes));
  const auto is_it = [&](const KnownName& each) { return each.name == text; };
  if (std::any_of(known.begin(), known.end(), is_it)) return {std::string(text)};
  if (written.empty() || text.size() > kMaxBytes) return {};
  for (const Fits& fits :
       {Fits(std::equal_to<Words>()), Fits(&holds_in_a_row), Fits(&holds_anywhere)}) {
    auto names = fitting(written, known, fits);
    if (!names.empty()) return names;
  }
  return {};
}

std::vector<std::string> matching_names(std::string_view text,
                                        const std::vector<std::string>& names) {
  std::vector<KnownName> known;
  for (const std::string& name : names) known.push_back({name, {}});
  return matching_names(text, known);
}

}  // namespace vgsim::input
