#include "topology/importers/smi/smi_blocks.hpp"

#include <cstddef>
#include <optional>
#include <vector>

#include "topology/machine/bus_id.hpp"

namespace vgsim::topology {
namespace {

constexpr std::size_t kDeepest = 16;
constexpr std::size_t kLongestKey = 64;

/// Lower case, with single spaces.
std::string key_of(std::string_view text) {
  std::string key;
  for (const TextSpan& word : words_of({text, 0})) {
    if (!key.empty()) key += ' ';
    key += lower_case(word.text);
  }
  return key;
}

/// nvidia-smi -q prints keys indented below titles, and the same key below many of them. An entry
/// is therefore reported by its path of titles, kept as a stack by indent. Indents and blanks
/// differ between releases, so only their order matters; a line that is not indented deeper than
/// "GPU ..." ends the block.
class BlockScanner {
 public:
  explicit BlockScanner(const SmiBlockHandler& handler) : handler_(handler) {}

  void read_line(TextSpan line);

 private:
  struct Title {
    std::size_t indent = 0;
    std::string key;
  };

  bool read_gpu(TextSpan line, std::size_t indent);
  void read_entry(const std::string& key, const std::optional<TextSpan>& value, std::size_t indent);

  const SmiBlockHandler& handler_;
  std::optional<std::size_t> base_;  ///< indent of the block's first line
  std::vector<Title> titles_;
};

bool BlockScanner::read_gpu(TextSpan line, std::size_t indent) {
  const auto words = words_of(line, 3);
  if (words.size() != 2 || words[0].text != "GPU") return false;
  const std::string bus_id = normalized_bus_id(words[1].text);
  if (bus_id.empty()) return false;
  base_ = indent;
  titles_.clear();
  handler_.on_gpu(bus_id, words[1]);
  return true;
}

void BlockScanner::read_entry(const std::string& key, const std::optional<TextSpan>& value,
                              std::size_t indent) {
  while (!titles_.empty() && titles_.back().indent >= indent) titles_.pop_back();
  if (titles_.size() == kDeepest) return;
  titles_.push_back({indent, key});
  if (!value) return;
  std::string path;
  for (const Title& title : titles_) path += (path.empty() ? "" : "/") + title.key;
  handler_.on_entry(path, *value);
}

void BlockScanner::read_line(TextSpan line) {
  const std::size_t indent = indent_of(line.text);
  const TextSpan text = trimmed(line);
  if (text.text.empty() || read_gpu(text, indent)) return;
  const std::size_t colon = text.text.find(':');
  const std::size_t key_size = colon == text.text.npos ? text.text.size() : colon;
  if (base_ && indent <= *base_) base_.reset();
  if (trimmed(text.text.substr(0, key_size)).size() > kLongestKey) return;
  const std::string key = key_of(text.text.substr(0, key_size));
  std::optional<TextSpan> value;
  if (colon != text.text.npos) {
    value = trimmed(TextSpan{text.text.substr(colon + 1), text.offset + colon + 1});
  }
  if (base_) {
    read_entry(key, value, indent);
  } else if (value) {
    handler_.on_top(key, *value);
  }
}

}  // namespace

void scan_smi_blocks(std::string_view text, const SmiBlockHandler& handler) {
  BlockScanner scanner(handler);
  SmiLines lines(text);
  while (const auto line = lines.next()) scanner.read_line(*line);
}

}  // namespace vgsim::topology
