#include "tests/models/vsphere/import/table/xlsx_fixture.hpp"

#include <fmt/format.h>

#include "topology/input/zip_file.hpp"

namespace vgsim::vsphere::import::testing {

std::string zip_of(const std::map<std::string, std::string>& files) {
  return input::zipped({files.begin(), files.end()});
}

std::map<std::string, std::string> workbook_parts(
    const std::vector<std::pair<std::string, SheetRows>>& sheets) {
  std::map<std::string, std::string> parts;
  std::string names;
  std::string relations;
  for (std::size_t s = 0; s < sheets.size(); ++s) {
    const auto& [name, rows] = sheets[s];
    names += fmt::format(R"(<sheet name="{}" sheetId="{}" r:id="rId{}"/>)", name, s + 1, s);
    relations += fmt::format(R"(<Relationship Id="rId{}" Target="worksheets/sheet{}.xml"/>)", s, s);
    std::string cells;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      cells += fmt::format("<row r=\"{}\">", r + 1);
      for (std::size_t c = 0; c < rows[r].size(); ++c) {
        if (rows[r][c].empty()) continue;
        cells += fmt::format(R"(<c r="{}{}" t="inlineStr"><is><t>{}</t></is></c>)",
                             static_cast<char>('A' + c), r + 1, rows[r][c]);
      }
      cells += "</row>";
    }
    parts[fmt::format("xl/worksheets/sheet{}.xml", s)] =
        "<worksheet><sheetData>" + cells + "</sheetData></worksheet>";
  }
  parts["xl/workbook.xml"] = "<workbook><sheets>" + names + "</sheets></workbook>";
  parts["xl/_rels/workbook.xml.rels"] = "<Relationships>" + relations + "</Relationships>";
  return parts;
}

std::string workbook_of(const std::vector<std::pair<std::string, SheetRows>>& sheets) {
  return zip_of(workbook_parts(sheets));
}

}  // namespace vgsim::vsphere::import::testing
