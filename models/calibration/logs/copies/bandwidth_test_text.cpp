#include "models/calibration/logs/copies/bandwidth_test_text.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <utility>

#include "models/calibration/logs/copies/bandwidth_matrix.hpp"
#include "models/calibration/logs/copies/device_list.hpp"
#include "models/calibration/logs/log_lines.hpp"

namespace vgsim::calibration::logs::bandwidth_test {
namespace {

struct WayName {
  std::string_view title;
  std::string_view in_csv;
  Way way;
};

constexpr std::array<WayName, 3> kWays = {{{"Host to Device", "H2D", Way::kToGpu},
                                           {"Device to Host", "D2H", Way::kFromGpu},
                                           {"Device to Device", "D2D", Way::kLocal}}};

bool is_pageable(std::string_view text) {
  return contains(text, "PAGEABLE") || contains(text, "Pageable") || contains(text, "Paged");
}

bool is_write_combined(std::string_view text) {
  return contains(text, "Write-Combined") || contains(text, "WriteCombined");
}

/// The word after "key = " in a line of --csv.
std::string_view value_of(std::string_view line, std::string_view key) {
  const std::size_t at = line.find(key);
  if (at == std::string_view::npos) return {};
  const Words words = split(line.substr(at + key.size()));
  if (words.size() < 2 || words[0] != "=") return {};
  return words[1].substr(0, words[1].find(','));
}

/// Two layouts: a heading with rows below it, and with --csv a line for each size; lines that
/// differ only in size form one table. The devices of a run are listed before its tables. With
/// several devices a table contains sums of rates.
class TextReader {
 public:
  Output read(std::string_view text) {
    for (const Line& line : lines_in(text)) read_line(line);
    return std::move(output_);
  }

 private:
  void read_line(const Line& line) {
    const std::string_view text = line.text;
    if (contains(text, "[CUDA Bandwidth Test]")) output_.is_recent = true;
    if (text.starts_with("Running on")) {
      lists_devices_ = true;
      run_.clear();
    } else if (lists_devices_ && (text.starts_with("Device ") || text.starts_with("device "))) {
      read_device(line);
    } else if (begin_table(text)) {
      lists_devices_ = false;
    } else if (contains(text, "bandwidthTest-")) {
      read_csv(line);
    } else if (is_open_) {
      read_below_heading(line);
    }
  }

  /// " Device 0: NVIDIA A100", or "device 0:Tesla C1060" in early releases.
  void read_device(const Line& line) {
    std::string_view rest = line.text.substr(7);
    const auto index = number_in(cut_at(rest, ":"), kMaxGpus - 1);
    if (!index) return;
    std::string name = printable_text(trimmed(rest));
    const auto [known, is_new] = output_.gpus.try_emplace(*index, name);
    if (!is_new && known->second != name && !output_.renamed) output_.renamed = line.offset;
    run_.push_back(*index);
  }

  Table new_table(Way way) const {
    Table table;
    table.way = way;
    table.devices = std::max<std::size_t>(1, run_.size());
    table.gpu = run_.empty() ? 0 : run_.front();
    return table;
  }

  /// " Host to Device Bandwidth, 1 Device(s)", before CUDA 4 "... Bandwidth for Pinned memory".
  bool begin_table(std::string_view text) {
    for (const WayName& name : kWays) {
      if (!text.starts_with(name.title)) continue;
      std::string_view rest = text.substr(name.title.size());
      if (!rest.starts_with(" Bandwidth")) continue;
      Table table = new_table(name.way);
      cut_at(rest, ",");
      if (const auto devices = number_in(trimmed(cut_at(rest, "Device(s)")), kMaxGpus)) {
        table.devices = *devices;
      }
      table.is_pageable = is_pageable(text);
      table.is_write_combined = is_write_combined(text);
      output_.tables.push_back(std::move(table));
      is_open_ = true;
      return true;
    }
    return false;
  }

  void read_below_heading(const Line& line) {
    Table& table = output_.tables.back();
    table.is_pageable = table.is_pageable || is_pageable(line.text);
    table.is_write_combined = table.is_write_combined || is_write_combined(line.text);
    if (contains(line.text, "Bandwidth(")) table.unit = printable_text(unit_in(line.text));
    if (contains(line.text, "Result = ") || contains(line.text, "Test PASSED")) is_open_ = false;
    const Words words = split(line.text);
    if (words.size() != 2 || !parse<std::size_t>(words[0])) return;
    table.rows.push_back({printable_text(words[0]), printable_text(words[1]), line.number});
  }

  /// "bandwidthTest-H2D-Pinned, Bandwidth = 24.9 GB/s, Time = 0.00135 s, Size = 33554432 bytes,
  /// NumDevsUsed = 1"
  void read_csv(const Line& line) {
    const std::string_view text = line.text.substr(line.text.find("bandwidthTest-") + 14);
    const auto name = std::ranges::find_if(
        kWays, [&](const WayName& each) { return text.starts_with(each.in_csv); });
    const std::size_t bandwidth = text.find("Bandwidth = ");
    if (name == kWays.end() || bandwidth == std::string_view::npos) return;
    Table table = new_table(name->way);
    const std::string_view head = text.substr(0, text.find(','));
    table.is_pageable = is_pageable(head);
    table.is_write_combined = is_write_combined(head);
    if (const auto devices = number_in(value_of(text, "NumDevsUsed "), kMaxGpus)) {
      table.devices = *devices;
    }
    const Words words = split(text.substr(bandwidth + 12));
    if (words.size() > 1) table.unit = printable_text(words[1].substr(0, words[1].find(',')));
    Row row{printable_text(value_of(text, "Size ")), {}, line.number};
    if (!words.empty()) row.rate = printable_text(words[0]);
    add_csv(std::move(table), std::move(row));
  }

  /// Lines that differ only in size belong to one table.
  void add_csv(Table table, Row row) {
    const auto is_same = [&](const Table& other) {
      return other.way == table.way && other.is_pageable == table.is_pageable &&
             other.is_write_combined == table.is_write_combined && other.unit == table.unit &&
             other.devices == table.devices && other.gpu == table.gpu;
    };
    is_open_ = false;
    if (output_.tables.empty() || !is_same(output_.tables.back())) {
      output_.tables.push_back(std::move(table));
    }
    output_.tables.back().rows.push_back(std::move(row));
  }

  Output output_;
  std::vector<std::size_t> run_;  ///< devices of the current run
  bool lists_devices_ = false;
  bool is_open_ = false;  ///< rows of the last table can follow
};

}  // namespace

Output read_text(std::string_view text) { return TextReader().read(text); }

std::string title(const Table& table) {
  const auto name =
      std::ranges::find_if(kWays, [&](const WayName& each) { return each.way == table.way; });
  if (table.way == Way::kLocal) return std::string(name->title);
  return fmt::format("{}, {}", name->title, table.is_pageable ? "pageable" : "pinned");
}

}  // namespace vgsim::calibration::logs::bandwidth_test
