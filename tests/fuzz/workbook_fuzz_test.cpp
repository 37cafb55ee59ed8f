// Workbooks whose parts are damaged and packed again: damage to the archive itself, which the
// fuzzer of all formats does, ends at its checksums.

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/fuzz/mutate.hpp"
#include "tests/fuzz/trials.hpp"
#include "tools/cli/import/imported.hpp"
#include "topology/input/zip_file.hpp"

namespace vgsim::cli {
namespace workbook_fuzz_test {

using Parts = std::vector<std::pair<std::string, std::string>>;

constexpr const char* kNames[] = {"[Content_Types].xml",      "xl/_rels/workbook.xml.rels",
                                  "xl/workbook.xml",          "xl/sharedStrings.xml",
                                  "xl/worksheets/sheet1.xml", "xl/worksheets/sheet2.xml",
                                  "xl/worksheets/sheet3.xml", "xl/worksheets/sheet4.xml"};

std::vector<Parts> corpus() {
  std::vector<Parts> books;
  for (const char* name : {"inline.xlsx", "shared.xlsx"}) {
    std::ifstream file(std::filesystem::path(VGSIM_SOURCE_DIR "/tests/fuzz/corpus/xlsx") / name,
                       std::ios::binary);
    std::ostringstream bytes;
    bytes << file.rdbuf();
    const std::string packed = bytes.str();
    const input::ZipReader archive(packed);
    Parts& parts = books.emplace_back();
    for (const char* part : kNames) {
      if (!archive.has(part)) continue;
      const auto text = archive.read(part, 1 << 20);
      EXPECT_TRUE(text) << part;
      parts.emplace_back(part, text.value_or(""));
    }
  }
  return books;
}

TEST(WorkbookFuzz, DamagedPartsNeverCrashNorHang) {
  const std::vector<Parts> books = corpus();
  std::vector<std::string> texts;
  for (const Parts& book : books) {
    ASSERT_GE(book.size(), 5U);
    for (const auto& part : book) texts.push_back(part.second);
  }
  const ImportFormat* format = nullptr;
  for (const ImportFormat& each : import_formats()) {
    if (std::string(each.word) == "xlsx") format = &each;
  }
  ASSERT_NE(format, nullptr);
  std::size_t read = 0;
  fuzz::try_damaged(
      "workbook",
      [&](std::mt19937_64& random) {
        Parts parts = books[random() % books.size()];
        std::string& part = parts[random() % parts.size()].second;
        std::vector<std::string> from = {part};
        if (random() % 4 == 0) from = texts;
        part = fuzz::mutated(from, random);
        return input::zipped(parts);
      },
      [&](const std::string& bytes) {
        const auto imported = format->read(input::make_source("fuzzed.xlsx", bytes));
        if (imported) ++read;
        if (!imported) {
          EXPECT_TRUE(imported.error().has_errors()) << "refused without a reason";
          static_cast<void>(input::render(imported.error()));
        }
      });
  EXPECT_GT(read, 0U) << "nothing but refusals was tried";
}

}  // namespace workbook_fuzz_test
}  // namespace vgsim::cli
