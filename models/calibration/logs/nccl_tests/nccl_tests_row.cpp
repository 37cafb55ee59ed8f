#include "models/calibration/logs/nccl_tests/nccl_tests_row.hpp"

#include <algorithm>
#include <cstdint>

#include "models/calibration/logs/nccl_tests/nccl_tests_words.hpp"

namespace vgsim::calibration::logs::nccl_tests {
namespace {

/// The digits at the end of a word: launchers can prepend their prefix to the size.
std::string_view trailing_digits(std::string_view word) {
  std::size_t begin = word.size();
  while (begin > 0 && word[begin - 1] >= '0' && word[begin - 1] <= '9') --begin;
  const bool is_prefixed =
      begin > 0 && std::string_view(":>]|").find(word[begin - 1]) != std::string_view::npos;
  return begin == 0 || is_prefixed ? word.substr(begin) : std::string_view();
}

/// Whether the word is a reduction in the column "redop"; "none" for other collectives.
bool is_operation(std::string_view word) {
  return !is_measure(word) && word.front() >= 'a' && word.front() <= 'z';
}

}  // namespace

std::optional<Columns> columns_in(const Words& words) {
  const auto size = std::ranges::find(words, "size");
  const bool fits = words.end() - size > 3 && *(size + 1) == "count" && *(size + 2) == "type" &&
                    std::find(size, words.end(), "algbw") != words.end();
  if (!fits) return std::nullopt;
  Columns columns;
  std::size_t measure = 0;
  for (auto word = size + 3; word != words.end(); ++word) {
    if (*word == "redop") continue;
    if (*word == "root") {
      columns.root = true;
      continue;
    }
    if (*word == "cputime") columns.cpu_times = true;
    if (*word == "time") columns.times.push_back(measure);
    if (*word == "#wrong") columns.wrong.push_back(measure);
    ++measure;
    if (*word == "busbw" || *word == "#wrong" || *word == "error") columns.wanted = measure;
  }
  return columns;
}

bool is_measure(std::string_view word) { return word == "N/A" || parse<double>(word).has_value(); }

std::optional<PartialRow> row_in(const Words& words, bool has_root) {
  const auto type = std::ranges::find_if(words, is_type);
  if (type == words.end() || type - words.begin() < 2) return std::nullopt;
  const auto size = parse<std::int64_t>(trailing_digits(*(type - 2)));
  if (!size || !parse<std::int64_t>(*(type - 1))) return std::nullopt;
  PartialRow row{Bytes{*size}, {}};
  auto next = type + 1;
  if (next != words.end() && is_operation(*next)) ++next;
  if (has_root && next != words.end() && is_measure(*next)) ++next;
  for (; next != words.end() && is_measure(*next); ++next) row.measures.push_back(*next);
  return row;
}

}  // namespace vgsim::calibration::logs::nccl_tests
