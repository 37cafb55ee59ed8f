#include "models/vsphere/import/table/workbook.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/vsphere/import/file_notes.hpp"
#include "models/vsphere/import/rvtools/rvtools.hpp"
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

}  // namespace

tl::expected<VsphereFacts, input::Diagnostics> read_workbook(const input::SourcePtr& source) {
  auto sheets = read_xlsx(source, &is_rvtools_sheet);
  if (!sheets) return tl::unexpected(std::move(sheets.error()));
  VsphereFacts facts;
  FileNotes notes(source);
  std::size_t read = 0;
  for (Sheet& sheet : *sheets) {
    const input::SourcePtr table = std::move(sheet.table);
    if (!is_rvtools(table->text)) {
      facts.skipped.push_back(fmt::format(
          "{}: the sheet has not the headings of any table that is known", table->path));
      continue;
    }
    ++read;
    if (auto more = read_rvtools(table)) {
      add_facts(std::move(*more), facts);
    } else {
      notes.errors.append(more.error());
    }
  }
  if (read == 0) {
    notes.error(codes::kNothingInIt, {0, 2}, "no sheet of the workbook has headings that are known",
                "RVTools' vHost, vInfo, vNetwork or vNIC");
  }
  if (notes.errors.has_errors()) return tl::unexpected(std::move(notes.errors));
  return facts;
}

}  // namespace vgsim::vsphere::import
