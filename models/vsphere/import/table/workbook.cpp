#include "models/vsphere/import/table/workbook.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/vsphere/import/reading.hpp"
#include "models/vsphere/import/rvtools/rvtools.hpp"
#include "models/vsphere/import/table/host_table.hpp"
#include "models/vsphere/import/table/xlsx.hpp"

namespace vgsim::vsphere::import {
namespace {

/// Names of RVTools' sheets; of a workbook that has none of them, all sheets are looked at.
bool is_rvtools_sheet(std::string_view name) {
  constexpr std::array<std::string_view, 4> kNames = {"vHost", "vInfo", "vNetwork", "vNIC"};
  return std::ranges::find(kNames, name) != kNames.end();
}

template <class T>
void move_behind(std::vector<T>& from, std::vector<T>& to) {
  std::move(from.begin(), from.end(), std::back_inserter(to));
}

void add_facts(VsphereFacts&& more, VsphereFacts& facts) {
  move_behind(more.hosts, facts.hosts);
  move_behind(more.vms, facts.vms);
  move_behind(more.assumed, facts.assumed);
  for (std::string& sentence : more.skipped) {
    const bool is_new = std::ranges::find(facts.skipped, sentence) == facts.skipped.end();
    if (is_new) facts.skipped.push_back(std::move(sentence));
  }
  facts.warnings.append(more.warnings);
}

/// Whether a sheet is known; its contents are added to the facts.
bool read_sheet_table(const input::SourcePtr& table, VsphereFacts& facts,
                      input::Diagnostics& errors) {
  if (is_rvtools(table->text)) {
    if (auto more = read_rvtools(table)) {
      add_facts(std::move(*more), facts);
    } else {
      errors.append(more.error());
    }
    return true;
  }
  if (!is_host_table(table->text)) return false;
  if (auto planned = read_host_table(table)) {
    move_behind(planned->hosts, facts.planned);
    move_behind(planned->skipped, facts.skipped);
  } else {
    errors.append(planned.error());
  }
  return true;
}

}  // namespace

tl::expected<VsphereFacts, input::Diagnostics> read_workbook(const input::SourcePtr& source) {
  auto sheets = read_xlsx(source, &is_rvtools_sheet);
  if (!sheets) return tl::unexpected(std::move(sheets.error()));
  VsphereFacts facts;
  FileNotes notes(source);
  input::Diagnostics errors;
  bool any = false;
  for (const Sheet& sheet : *sheets) {
    if (read_sheet_table(sheet.table, facts, errors)) {
      any = true;
    } else {
      facts.skipped.push_back(fmt::format("{}: a sheet without known headings", sheet.table->path));
    }
  }
  notes.append(errors);
  if (!any) {
    notes.error(codes::kNothingInIt, Place{0, 2}, "no sheet of the workbook has known headings",
                "RVTools' vHost, vInfo, vNetwork or vNIC, or columns host and server");
  }
  if (notes.failed()) return tl::unexpected(notes.errors());
  return facts;
}

}  // namespace vgsim::vsphere::import
