#include "tests/models/vsphere/import/table/xlsx_fixture.hpp"

#include <fmt/format.h>
#include <zip.h>

#include <stdexcept>

namespace vgsim::vsphere::import::testing {

std::string zip_of(const std::map<std::string, std::string>& files) {
  zip_source_t* memory = zip_source_buffer_create(nullptr, 0, 0, nullptr);
  zip_source_keep(memory);
  zip_t* archive = zip_open_from_source(memory, ZIP_CREATE | ZIP_TRUNCATE, nullptr);
  if (archive == nullptr) throw std::runtime_error("no archive");
  for (const auto& [name, text] : files) {
    zip_source_t* part = zip_source_buffer(archive, text.data(), text.size(), 0);
    zip_file_add(archive, name.c_str(), part, ZIP_FL_ENC_UTF_8);
  }
  if (zip_close(archive) != 0) throw std::runtime_error(zip_strerror(archive));
  std::string bytes;
  zip_source_open(memory);
  char chunk[4096];
  while (const zip_int64_t got = zip_source_read(memory, chunk, sizeof chunk)) {
    if (got < 0) throw std::runtime_error("the archive cannot be read back");
    bytes.append(chunk, static_cast<std::size_t>(got));
  }
  zip_source_close(memory);
  zip_source_free(memory);
  return bytes;
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
