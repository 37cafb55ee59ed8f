#include "topology/importers/smi/smi_topo_words.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace vgsim::topology {
namespace {

constexpr std::array<std::string_view, 8> kPaths = {"X",   "PIX",  "PXB", "PHB",
                                                    "SYS", "NODE", "SOC", "PSB"};
constexpr std::array<std::string_view, 5> kTitleWords = {"CPU", "NUMA", "GPU", "CPUAffinity",
                                                         "NUMAAffinity"};
constexpr std::size_t kLongestName = 64;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

template <class Words>
bool is_one_of(const Words& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

bool is_numbered(std::string_view word, std::string_view prefix) {
  if (!word.starts_with(prefix)) return false;
  return whole_number(word.substr(prefix.size()), 0, 9999).has_value();
}

bool is_name(std::string_view word) {
  if (word.size() > kLongestName || !is_letter(word.front())) return false;
  return std::ranges::all_of(word, [](char c) {
    return is_letter(c) || is_digit(c) || c == '_' || c == '-' || c == '.' || c == ':';
  });
}

/// Length of the cell at the start of a text, 0 if there is none.
std::size_t cell_length(std::string_view text) {
  for (const std::string_view path : kPaths) {
    if (text.starts_with(path)) return path.size();
  }
  std::size_t digits = 2;
  while (text.starts_with("NV") && digits < text.size() && is_digit(text[digits])) ++digits;
  return digits > 2 ? digits : 0;
}

/// Position at which a word of a header must be split: before a name or title that follows a digit
/// or "Affinity".
std::size_t seam_of(std::string_view word) {
  for (std::size_t i = 1; i < word.size(); ++i) {
    const std::string_view rest = word.substr(i);
    const bool starts = rest.starts_with("GPU") || rest.starts_with("NIC") ||
                        rest.starts_with("CPU") || rest.starts_with("NUMA") ||
                        rest.starts_with("mlx");
    if (starts && (is_digit(word[i - 1]) || word.substr(0, i).ends_with("Affinity"))) return i;
  }
  return word.size();
}

std::vector<TextSpan> unglued(const std::vector<TextSpan>& words) {
  std::vector<TextSpan> result;
  for (TextSpan word : words) {
    while (!word.text.empty()) {
      const std::size_t seam = seam_of(word.text);
      result.push_back({word.text.substr(0, seam), word.offset});
      word = {word.text.substr(seam), word.offset + seam};
    }
  }
  return result;
}

/// Titles from word `at` on. Empty if there are none.
std::vector<TopoColumn> columns_of(const std::vector<TextSpan>& words, std::size_t at) {
  std::vector<TopoColumn> columns;
  const auto is = [&](std::size_t i, std::string_view word) {
    return i < words.size() && words[i].text == word;
  };
  while (at < words.size()) {
    if (is(at, "CPU") || is(at, "CPUAffinity")) {
      columns.push_back(TopoColumn::kCpuAffinity);
    } else if (is(at, "NUMA") || is(at, "NUMAAffinity")) {
      columns.push_back(TopoColumn::kNumaAffinity);
    } else if (is(at, "GPU")) {
      columns.push_back(TopoColumn::kGpuNumaId);
      if (is(at + 1, "NUMA")) ++at;
    } else {
      break;
    }
    ++at;
    if (is(at, "Affinity") || is(at, "ID")) ++at;
  }
  return columns;
}

}  // namespace

bool is_smi_gpu_name(std::string_view word) { return is_numbered(word, "GPU"); }

std::string topo_path_of(std::string_view word) {
  if (word == "SOC") return "SYS";
  if (word == "PSB") return "PIX";
  if (is_one_of(kPaths, word)) return std::string(word);
  const bool links = word.starts_with("NV") && whole_number(word.substr(2), 1, 999);
  return links ? std::string(word) : std::string();
}

bool is_p2p_word(std::string_view word) {
  constexpr std::array<std::string_view, 7> kWords = {"OK", "CNS", "GNS", "TNS", "NS", "DR", "U"};
  return is_one_of(kWords, word);
}

std::vector<TextSpan> glued_cells(TextSpan word) {
  std::vector<TextSpan> cells;
  for (std::string_view rest = word.text; !rest.empty();) {
    const std::size_t length = cell_length(rest);
    if (length == 0) return {};
    cells.push_back({rest.substr(0, length), word.offset + (word.text.size() - rest.size())});
    rest.remove_prefix(length);
  }
  return cells.size() > 1 ? cells : std::vector<TextSpan>{};
}

std::vector<TextSpan> topo_words(TextSpan line) {
  std::vector<TextSpan> words;
  for (const TextSpan& word : words_of(line)) {
    const bool has_bar = word.text.find('|') != word.text.npos;
    if (!has_bar) {
      words.push_back(word);
      continue;
    }
    for (const TextSpan& field : fields_of(word, '|', word.text.size() + 1)) {
      if (!field.text.empty()) words.push_back(field);
    }
  }
  return words;
}

bool is_topo_rule(const std::vector<TextSpan>& words) {
  return std::ranges::all_of(words, [](const TextSpan& word) {
    return word.text.find_first_not_of(".~-:=") == word.text.npos || word.text == "\xE2\x80\xA6";
  });
}

bool is_header_word(std::string_view word) {
  const std::string_view first = word.substr(0, seam_of(word));
  return is_one_of(kTitleWords, first) || is_smi_gpu_name(first) || is_numbered(first, "NIC");
}

std::optional<TopoHeader> topo_header(const std::vector<TextSpan>& words) {
  if (words.empty() || !words.front().text.starts_with("GPU")) return std::nullopt;
  const std::vector<TextSpan> parts = unglued(words);
  if (!is_smi_gpu_name(parts.front().text)) return std::nullopt;
  TopoHeader header;
  header.where = {parts.front().text.substr(0, 0), parts.front().offset};
  std::size_t at = 0;
  for (; at < parts.size() && !is_one_of(kTitleWords, parts[at].text); ++at) {
    const std::string_view word = parts[at].text;
    const bool gpu_after_nic =
        is_smi_gpu_name(word) && !header.names.empty() && !is_smi_gpu_name(header.names.back());
    if (gpu_after_nic || !is_name(word) || !topo_path_of(word).empty() || is_p2p_word(word)) {
      return std::nullopt;
    }
    header.names.emplace_back(word);
  }
  header.columns = columns_of(parts, at);
  return header;
}

std::vector<std::string_view> topo_tail(TextSpan line, const std::vector<TextSpan>& words,
                                        std::size_t at, const std::vector<TopoColumn>& columns) {
  std::vector<std::string_view> fields;
  if (words.size() - at >= columns.size()) {
    for (std::size_t i = 0; i < columns.size(); ++i) fields.push_back(words[at + i].text);
    return fields;
  }
  // Some are empty, which only tabs show.
  const TextSpan& last = words[at - 1];
  const std::size_t end = last.offset - line.offset + last.text.size();
  for (const TextSpan& field : fields_of({line.text.substr(end), 0}, '\t')) {
    fields.push_back(field.text);
  }
  fields.erase(fields.begin());
  const bool has_extra_tab = fields.size() == columns.size() + 1 && fields.size() > 1 &&
                             columns.back() == TopoColumn::kGpuNumaId &&
                             fields[fields.size() - 2].empty();
  if (has_extra_tab) fields.erase(fields.end() - 2);
  if (fields.size() != columns.size()) fields.clear();
  return fields;
}

}  // namespace vgsim::topology
