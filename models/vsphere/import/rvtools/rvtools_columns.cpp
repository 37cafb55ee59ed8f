#include "models/vsphere/import/rvtools/rvtools_columns.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "models/vsphere/import/reading.hpp"

namespace vgsim::vsphere::import {
namespace {

/// A column and the headings that versions give it, as bare keys without the name of the tab.
struct Column {
  std::string_view name;
  std::array<std::string_view, 3> headings;
};
constexpr std::array kColumns = {
    Column{"vm", {"vm", "vmname", ""}},
    Column{"power", {"powerstate", "", ""}},
    Column{"template", {"template", "", ""}},
    Column{"placeholder", {"srmplaceholder", "", ""}},
    Column{"cpus", {"cpus", "", ""}},
    Column{"memory", {"memory", "nummemory", "memorysize"}},
    Column{"version", {"hwversion", "hardwareversion", ""}},
    Column{"firmware", {"firmware", "", ""}},
    Column{"latency", {"latencysensitivity", "", ""}},
    Column{"os", {"osaccordingtotheconfigurationfile", "os", "osconfig"}},
    Column{"os of tools", {"osaccordingtothevmwaretools", "ostools", ""}},
    Column{"uuid", {"vmuuid", "uuid", ""}},
    Column{"host", {"host", "hostname", "name"}},
    Column{"vendor", {"vendor", "", ""}},
    Column{"model", {"model", "", ""}},
    Column{"cpu", {"cpumodel", "", ""}},
    Column{"packages", {"numcpu", "", ""}},
    Column{"cores", {"numcores", "numcpucores", ""}},
    Column{"product", {"esxversion", "fullname", ""}},
    Column{"label", {"niclabel", "label", ""}},
    Column{"adapter", {"adapter", "adaptertype", "nictype"}},
    Column{"network", {"network", "networkname", ""}},
    Column{"device", {"networkdevice", "device", ""}},
    Column{"driver", {"driver", "", ""}},
    Column{"speed", {"speed", "", ""}},
    Column{"pci", {"pci", "", ""}},
};

struct Tab {
  RvTab tab;
  std::string_view prefix;  ///< of headings in full exports
  std::vector<std::string> needed;
};

const std::vector<Tab>& tabs() {
  static const std::vector<Tab> kTabs = {
      {RvTab::kHost, "vhost", {"host", "cpu", "packages", "cores"}},
      {RvTab::kInfo, "vinfo", {"vm", "power", "cpus", "memory"}},
      {RvTab::kNetwork, "vnetwork", {"vm", "adapter", "network"}},
      {RvTab::kNic, "vnic", {"host", "device", "pci"}},
  };
  return kTabs;
}

RvColumns columns_of(const Tab& tab, const CsvRow& headings) {
  RvColumns columns;
  columns.tab = tab.tab;
  for (std::size_t i = 0; i < headings.size(); ++i) {
    std::string key = bare_key(headings[i].text);
    if (key.starts_with(tab.prefix) && key.size() > tab.prefix.size()) {
      key.erase(0, tab.prefix.size());
    }
    for (const Column& column : kColumns) {
      const bool same = std::ranges::find(column.headings, key) != column.headings.end();
      if (same && !key.empty()) columns.index.try_emplace(std::string(column.name), i);
    }
  }
  return columns;
}

/// Takes a separator of thousands or decimals off the start of a text.
bool take_separator(std::string_view& text, bool& may_be_decimal) {
  constexpr std::array<std::string_view, 6> kSeparators = {",", ".",        "'",
                                                           " ", "\xC2\xA0", "\xE2\x80\x99"};
  constexpr std::string_view kNarrowBlank = "\xE2\x80\xAF";
  for (const std::string_view separator : kSeparators) {
    if (!text.starts_with(separator)) continue;
    may_be_decimal = separator == "," || separator == ".";
    text.remove_prefix(separator.size());
    return true;
  }
  if (!text.starts_with(kNarrowBlank)) return false;
  may_be_decimal = false;
  text.remove_prefix(kNarrowBlank.size());
  return true;
}

}  // namespace

const CsvCell* RvColumns::cell(const CsvRow& row, const std::string& column) const {
  const auto known = index.find(column);
  if (known == index.end() || known->second >= row.size()) return nullptr;
  const CsvCell& cell = row[known->second];
  return trimmed(cell.text).empty() ? nullptr : &cell;
}

std::optional<RvColumns> rvtools_columns(const CsvRow& headings) {
  for (const Tab& tab : tabs()) {
    RvColumns columns = columns_of(tab, headings);
    const bool complete = std::ranges::all_of(
        tab.needed, [&](const std::string& name) { return columns.index.contains(name); });
    if (complete) return columns;
  }
  return std::nullopt;
}

std::optional<std::int64_t> locale_number(std::string_view text) {
  text = trimmed(text);
  std::vector<std::string_view> groups;
  bool may_be_decimal = false;
  do {
    const std::size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
    if (end == 0 || groups.size() > 8) return std::nullopt;
    groups.push_back(text.substr(0, end));
    text.remove_prefix(end);
  } while (take_separator(text, may_be_decimal));
  if (!text.empty()) return std::nullopt;
  const bool zeros = groups.back().find_first_not_of('0') == std::string_view::npos;
  const bool whole = groups.size() < 2 || groups.back().size() == 3;
  if (!whole && (!may_be_decimal || !zeros)) return std::nullopt;
  if (!whole) groups.pop_back();
  std::string digits;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const std::size_t size = groups[i].size();
    if (groups.size() > 1 && (i == 0 ? size > 3 : size != 3)) return std::nullopt;
    digits += groups[i];
  }
  return whole_number(digits);
}

}  // namespace vgsim::vsphere::import
