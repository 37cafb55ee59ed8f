#include "topology/importers/smi/smi_topo_grid.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include "topology/machine/import_codes.hpp"

namespace vgsim::topology {
namespace {

constexpr std::size_t kMostDevices = 512;
constexpr const char* kWords = "X, NV#, PIX, PXB, PHB, NODE or SYS";

bool is_cell(std::string_view word) { return !topo_path_of(word).empty() || is_p2p_word(word); }

/// Whether a word can be a cell, or several cells without a space.
bool begins_cells(TextSpan word) { return is_cell(word.text) || !glued_cells(word).empty(); }

/// Whether a word can be a truncated cell.
bool is_cell_begun(std::string_view word) {
  constexpr std::array<std::string_view, 7> kLong = {"PIX", "PXB", "PHB", "NODE",
                                                     "SYS", "SOC", "NV"};
  return std::ranges::any_of(kLong, [&](std::string_view path) { return path.starts_with(word); });
}

/// Whether a line begins with a device and does not continue like a header.
bool is_row(const std::set<std::string>& names, const std::vector<TextSpan>& words) {
  const std::string name(words.front().text);
  if (names.count(name) == 0 && !is_smi_gpu_name(name)) return false;
  return words.size() == 1 ||
         (!is_header_word(words[1].text) && names.count(std::string(words[1].text)) == 0);
}

/// A header is only a candidate until a row follows it, because headers and rows can look like
/// other lines. Web pages and terminals break the columns: tabs become blanks or vanish
/// ("NODENODE"), rows wrap or are truncated. Cells are therefore identified by their content, not
/// by their column. The text after the last cell is affinity; topo_tail() needs tabs if some of it
/// is empty.
class TopoScanner {
 public:
  TopoScanner(std::string_view text, FileNotes& notes,
              const std::function<bool(const TopoGrid&)>& sink)
      : text_(text), notes_(notes), sink_(sink) {}

  void run();

 private:
  using Words = std::vector<TextSpan>;

  void read_line(TextSpan line);
  bool confirms(const Words& words) const;
  bool is_remark(const Words& words) const;
  bool is_stray_row(const Words& words) const;
  void open();
  void flush();
  void add_row(TextSpan line, const Words& words);
  std::size_t read_cells(const Words& words, bool is_cut, TopoRow& row);
  bool check_tail(const Words& words, std::size_t at, const TopoRow& row);
  void read_tail(TextSpan line, const Words& words, std::size_t at, TopoRow& row) const;
  void read_legend(const Words& words);

  std::string_view text_;
  FileNotes& notes_;
  const std::function<bool(const TopoGrid&)>& sink_;
  bool stopped_ = false;

  std::optional<TopoHeader> candidate_;  ///< becomes the header if a row follows
  std::set<std::string> candidate_names_;
  std::optional<TopoGrid> grid_;
  TopoHeader header_;            ///< of the grid
  std::set<std::string> names_;  ///< of the grid
  std::map<std::string, std::size_t> index_;
  std::set<std::size_t> with_row_;
  bool in_rows_ = false;
  bool in_nic_legend_ = false;
  bool has_paths_ = false;
  bool has_p2p_ = false;
};

/// Whether the words confirm the candidate: GPU0 at the beginning of a line is not sufficient.
bool TopoScanner::confirms(const Words& words) const {
  if (words.size() == 1 || !is_row(candidate_names_, words)) return false;
  const bool is_certain =
      !candidate_->columns.empty() || std::ranges::all_of(candidate_->names, is_header_word);
  return is_certain || begins_cells(words[1]);
}

/// Whether a line is a remark about a device that already has its row.
bool TopoScanner::is_remark(const Words& words) const {
  const auto device = index_.find(std::string(words.front().text));
  if (device == index_.end() || with_row_.count(device->second) == 0) return false;
  return words.size() == 1 || !begins_cells(words[1]);
}

/// Whether a line is the row of a device missing in the header: at least as many paths as devices.
bool TopoScanner::is_stray_row(const Words& words) const {
  return words.size() > header_.names.size() &&
         std::all_of(words.begin() + 1, words.end(),
                     [](const TextSpan& word) { return !topo_path_of(word.text).empty(); });
}

void TopoScanner::open() {
  header_ = std::move(*candidate_);
  names_ = std::move(candidate_names_);
  candidate_.reset();
  grid_.emplace();
  grid_->names = header_.names;
  grid_->offset = header_.where.offset;
  index_.clear();
  with_row_.clear();
  in_rows_ = true;
  in_nic_legend_ = has_paths_ = has_p2p_ = false;
  const input::Location where = notes_.at(header_.where);
  if (header_.names.size() > kMostDevices) {
    notes_.error(import_codes::kTooMuch, where,
                 fmt::format("a matrix of {} devices", header_.names.size()),
                 fmt::format("at most {}", kMostDevices));
    stopped_ = true;
    return;
  }
  for (std::size_t i = 0; i < header_.names.size(); ++i) {
    if (index_.emplace(header_.names[i], i).second) continue;
    notes_.error(import_codes::kBadValue, where,
                 fmt::format("the header names {} twice", header_.names[i]), "each device once");
  }
}

void TopoScanner::flush() {
  if (!grid_ || stopped_) return;
  grid_->is_p2p = grid_->is_p2p || has_p2p_;
  if (!sink_(*grid_)) stopped_ = true;
  grid_.reset();
}

std::size_t TopoScanner::read_cells(const Words& words, bool is_cut, TopoRow& row) {
  const std::size_t columns = header_.names.size();
  std::size_t at = 1;
  for (; at < words.size() && row.cells.size() < columns; ++at) {
    const TextSpan& word = words[at];
    // N/A can be an unknown pair; in a short row it is the affinity.
    const bool unknown_pair = word.text == "N/A" && words.size() > columns;
    Words glued = is_cell(word.text) ? Words{} : glued_cells(word);
    if (row.cells.size() + glued.size() > columns) glued.clear();
    if (unknown_pair) {
      row.cells.push_back({"", word.offset});
    } else if (!glued.empty()) {
      has_paths_ = true;
      for (const TextSpan& cell : glued) {
        row.cells.push_back({topo_path_of(cell.text), cell.offset});
      }
    } else if (is_cell(word.text)) {
      const std::string path = topo_path_of(word.text);
      has_p2p_ = has_p2p_ || path.empty();
      has_paths_ = has_paths_ || (!path.empty() && path != "X");
      row.cells.push_back({path.empty() ? std::string(word.text) : path, word.offset});
    } else {
      break;
    }
  }
  if (is_cut && row.cells.size() < columns) {
    const bool last = at == words.size() && at > 1;
    if (at + 1 == words.size() && is_cell_begun(words[at].text)) ++at;
    if (last && row.cells.back().word.starts_with("NV")) row.cells.pop_back();
  }
  return at;
}

/// Whether the text after the cells of a row can be its affinity.
bool TopoScanner::check_tail(const Words& words, std::size_t at, const TopoRow& row) {
  const std::size_t columns = header_.names.size();
  const bool is_end = at == words.size();
  const std::string_view next = is_end ? std::string_view() : words[at].text;
  if (!is_end && row.cells.size() == columns && begins_cells(words[at])) {
    notes_.error(import_codes::kBadValue, notes_.at(words.front()),
                 fmt::format("the row of {} has more cells than the header has devices",
                             printable(words.front().text)),
                 fmt::format("{} cells", columns));
    return false;
  }
  if (is_end || row.cells.size() == columns) return true;
  if (is_number_list(next) || next == "N/A") {
    notes_.error(import_codes::kBadValue, notes_.at(words.front()),
                 fmt::format("the row of {} has {} cells before its affinity",
                             printable(words.front().text), row.cells.size()),
                 fmt::format("{}, as many as the header has devices", columns));
  } else {
    const input::Location where = notes_.at(words[at]);
    notes_.error(import_codes::kBadValue, where,
                 fmt::format("\"{}\" in the row of {}", printable(next.substr(0, 40)),
                             printable(words.front().text)),
                 kWords);
  }
  return false;
}

void TopoScanner::read_tail(TextSpan line, const Words& words, std::size_t at, TopoRow& row) const {
  if (header_.columns.empty()) {
    // Written by hand: "NUMA 0" behind the row.
    const bool by_hand = words.size() - at == 2 && words[at].text == "NUMA";
    if (by_hand && is_number_list(words[at + 1].text)) row.numa = words[at + 1].text;
    return;
  }
  const auto fields = topo_tail(line, words, at, header_.columns);
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const std::string text(fields[i].substr(0, 256));
    switch (header_.columns[i]) {
      case TopoColumn::kCpuAffinity:
        if (text != "N/A") row.cpu_list = text;
        break;
      case TopoColumn::kNumaAffinity:
        row.numa = text;
        break;
      case TopoColumn::kGpuNumaId:
        if (text != "N/A") row.gpu_numa = text;
        break;
    }
  }
}

void TopoScanner::add_row(TextSpan line, const Words& words) {
  const bool is_cut = line.offset + line.text.size() >= text_.size();
  const std::string name(words.front().text);
  const auto device = index_.find(name);
  const input::Location where = notes_.at(words.front());
  if (device == index_.end()) {
    notes_.warn(import_codes::kOddValue, where,
                "A row of a device that the header does not name is not read", printable(name));
    return;
  }
  TopoRow row;
  row.device = device->second;
  row.offset = words.front().offset;
  const std::size_t tail = read_cells(words, is_cut, row);
  if (!check_tail(words, tail, row)) return;
  if (has_paths_ && has_p2p_) {
    notes_.error(import_codes::kBadValue, where, "a matrix with words of topo -m and of topo -p2p",
                 kWords);
    has_p2p_ = false;
  }
  if (!with_row_.insert(row.device).second) {
    notes_.error(import_codes::kBadValue, where, fmt::format("a second row of {}", name),
                 "each device once");
    return;
  }
  read_tail(line, words, tail, row);
  grid_->rows.push_back(std::move(row));
}

void TopoScanner::read_legend(const Words& words) {
  const std::string_view first = words.front().text;
  if (words.size() > 2 && first == "OK" && words[1].text == "=") grid_->is_p2p = !has_paths_;
  if (words.size() == 2 && first == "NIC" && words[1].text == "Legend:") {
    in_nic_legend_ = true;
    return;
  }
  if (!in_nic_legend_) return;
  const bool is_entry = words.size() == 2 && first.ends_with(":");
  const std::string name(first.substr(0, first.size() - 1));
  in_nic_legend_ = is_entry && names_.count(name) > 0;
  if (in_nic_legend_) grid_->nic_legend[name] = printable(words[1].text);
}

void TopoScanner::read_line(TextSpan line) {
  const Words words = topo_words(line);
  if (words.empty()) return;
  if ((candidate_ || in_rows_) && is_topo_rule(words)) return;
  if (candidate_ && confirms(words)) {
    flush();
    open();
    if (!stopped_) add_row(line, words);
    return;
  }
  candidate_.reset();
  if (grid_ && in_rows_) {
    if (is_row(names_, words) && !is_remark(words)) return add_row(line, words);
    if (is_stray_row(words)) return add_row(line, words);
    in_rows_ = false;
  }
  candidate_ = topo_header(words);
  if (candidate_) {
    candidate_names_ = {candidate_->names.begin(), candidate_->names.end()};
  } else if (grid_) {
    read_legend(words);
  }
}

void TopoScanner::run() {
  SmiLines lines(text_);
  while (!stopped_) {
    const auto line = lines.next();
    if (!line) break;
    read_line(*line);
  }
  flush();
}

}  // namespace

void scan_topo(std::string_view text, FileNotes& notes,
               const std::function<bool(const TopoGrid&)>& sink) {
  TopoScanner(text, notes, sink).run();
}

}  // namespace vgsim::topology
