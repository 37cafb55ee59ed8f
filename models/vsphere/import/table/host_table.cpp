#include "models/vsphere/import/table/host_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "models/vsphere/import/reading.hpp"
#include "models/vsphere/import/table/csv.hpp"
#include "models/vsphere/import/utf8_source.hpp"
#include "topology/graph/gpu_count.hpp"
#include "topology/input/name_ranges.hpp"

namespace vgsim::vsphere::import {
namespace {

constexpr std::size_t kMostTableLines = 10'000;
constexpr std::size_t kMostTableFile = std::size_t{16} << 20;
constexpr std::size_t kTableStartBytes = std::size_t{16} << 10;
constexpr std::array<std::string_view, 7> kTableColumns = {"host", "count",   "server", "gpus",
                                                           "nics", "vsphere", "cluster"};

/// "vSphere version" is as good as "vsphere".
std::string_view column_named(std::string_view heading) {
  struct Other {
    std::string_view heading;
    std::string_view column;
  };
  constexpr std::array kOthers = {Other{"hosts", "host"}, Other{"number", "count"},
                                  Other{"gpu", "gpus"}, Other{"nic", "nics"},
                                  Other{"vsphereversion", "vsphere"}};
  const std::string key = bare_key(heading);
  for (const std::string_view column : kTableColumns) {
    if (key == column) return column;
  }
  for (const Other& other : kOthers) {
    if (key == other.heading) return other.column;
  }
  return {};
}

/// "esx[01-16]" of "esx" and 16.
std::string numbered(const std::string& stem, std::size_t count) {
  const std::size_t width = std::max<std::size_t>(2, fmt::format("{}", count).size());
  return fmt::format("{}[{:0{}}-{:0{}}]", stem, 1, width, count, width);
}

/// Headings identify the columns; each line is checked separately, and all errors are reported
/// at once. Names of servers, GPUs and NICs are looked up later, with the catalogue.
class HostTableReader {
 public:
  explicit HostTableReader(const input::SourcePtr& source) : notes_(source) {}

  tl::expected<HostTable, input::Diagnostics> read() {
    if (notes_.is_plain_text(kMostTableFile)) read_lines();
    if (!notes_.failed() && table_.hosts.empty()) {
      notes_.error(codes::kNothingInIt, Place{0, 1}, "the table has only headings",
                   "a line for each host");
    }
    if (notes_.failed()) return tl::unexpected(notes_.errors());
    notes_.tell(table_);
    return std::move(table_);
  }

 private:
  void read_lines() {
    CsvReader csv(notes_, csv_separator(notes_.text()));
    CsvRow row;
    if (!csv.next(row)) return;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string_view column = column_named(row[i].text);
      if (!column.empty()) {
        columns_.try_emplace(std::string(column), i);
      } else if (!trimmed(row[i].text).empty()) {
        notes_.skip("columns without a key in a scenario", printable(row[i].text));
      }
    }
    while (csv.next(row)) {
      const bool is_empty =
          std::ranges::all_of(row, [](const CsvCell& cell) { return trimmed(cell.text).empty(); });
      if (is_empty) continue;
      if (table_.hosts.size() >= kMostTableLines || hosts_ > input::kMaxExpandedNames) {
        return notes_.error(codes::kTooMuch, row.front().place, "the table has too many hosts",
                            fmt::format("at most {} lines and {} hosts", kMostTableLines,
                                        input::kMaxExpandedNames));
      }
      read_line(row);
    }
  }

  const CsvCell* cell(const CsvRow& row, const char* column) const {
    const auto known = columns_.find(column);
    const bool has = known != columns_.end() && known->second < row.size();
    if (!has || trimmed(row[known->second].text).empty()) return nullptr;
    return &row[known->second];
  }

  TableCell kept(const CsvCell* cell) const {
    if (cell == nullptr) return {};
    return {printable(cell->text), {notes_.source(), cell->place.offset, cell->place.length}};
  }

  const CsvCell* needed(const CsvRow& row, const char* column, const char* expected) {
    const CsvCell* found = cell(row, column);
    if (found == nullptr) {
      notes_.error(codes::kBadValue, row.front().place,
                   fmt::format("the column {} is empty in this line", column), expected);
    }
    return found;
  }

  void read_line(const CsvRow& row) {
    PlannedHosts hosts;
    const CsvCell* name = needed(row, "host", "a name such as esx01, or a range esx[01-16]");
    hosts.server = kept(needed(row, "server", "a server of the catalogue: vgsim catalog servers"));
    if (name != nullptr) read_names(*name, cell(row, "count"), hosts);
    read_parts(cell(row, "gpus"), "gpus", hosts.gpu_count, hosts.gpu);
    read_parts(cell(row, "nics"), "nics", hosts.nic_count, hosts.nic);
    hosts.version = kept(cell(row, "vsphere"));
    if (const CsvCell* cluster = cell(row, "cluster")) hosts.cluster = printable(cluster->text);
    table_.hosts.push_back(std::move(hosts));
  }

  void read_names(const CsvCell& cell, const CsvCell* count, PlannedHosts& hosts) {
    hosts.names = printable(cell.text);
    if (count != nullptr) {
      const auto number = notes_.number(trimmed(count->text), count->place, "count", 1,
                                        static_cast<std::int64_t>(input::kMaxExpandedNames));
      const bool is_stem = number && *number > 1 && !input::has_range(hosts.names);
      if (is_stem) hosts.names = numbered(hosts.names, static_cast<std::size_t>(*number));
    }
    const auto names = input::expand_names(hosts.names);
    if (names && count != nullptr && !trimmed(count->text).empty() &&
        trimmed(count->text) != fmt::format("{}", names->size())) {
      notes_.error(
          codes::kBadValue, count->place,
          fmt::format("count is {}, and the range has {}", trimmed(count->text), names->size()),
          "a range, or a name and a count");
    }
    if (!names) {
      return notes_.error(codes::kBadValue, cell.place, fmt::format("host: {}", names.error()),
                          "a name such as esx01, or a range esx[01-16]");
    }
    hosts.count = names->size();
    hosts_ += names->size();
    for (const std::string& one : *names) {
      if (known_.insert(one).second) continue;
      return notes_.error(codes::kBadValue, cell.place,
                          fmt::format("the host {} is listed twice", one), "each host once");
    }
  }

  /// "8 x h100-sxm", "8", "h100-sxm".
  void read_parts(const CsvCell* cell, const char* column, std::size_t& count, TableCell& part) {
    if (cell == nullptr) return;
    part = kept(cell);
    const auto number = whole_number(trimmed(cell->text));
    if (const auto counted = topology::parse_gpu_count(part.text)) {
      count = counted->count;
      part.text = counted->gpu;
    } else if (number && *number == 0 && column == std::string_view("gpus")) {
      notes_.error(codes::kBadValue, cell->place, "gpus is 0",
                   "at least one; omit hosts without GPUs from the table");
    } else if (number && *number >= 0 && *number <= 99) {
      count = static_cast<std::size_t>(*number);
      part.text.clear();
    } else {
      notes_.error(codes::kBadValue, cell->place, fmt::format("{} is \"{}\"", column, part.text),
                   "a count and a part such as \"8 x h100-sxm\", or a count");
    }
  }

  FileNotes notes_;
  HostTable table_;
  std::map<std::string, std::size_t> columns_;
  std::set<std::string> known_;
  std::size_t hosts_ = 0;
};

}  // namespace

bool is_host_table(std::string_view text) {
  const std::string start = utf8_start(text, kTableStartBytes);
  if (start.find('\0') != start.npos) return false;
  FileNotes notes(input::make_source("", start));
  CsvReader csv(notes, csv_separator(start));
  CsvRow row;
  if (!csv.next(row)) return false;
  const auto has = [&](std::string_view wanted) {
    return std::ranges::any_of(
        row, [&](const CsvCell& cell) { return column_named(cell.text) == wanted; });
  };
  return has("host") && has("server");
}

tl::expected<HostTable, input::Diagnostics> read_host_table(const input::SourcePtr& source) {
  return HostTableReader(in_utf8(source)).read();
}

}  // namespace vgsim::vsphere::import
