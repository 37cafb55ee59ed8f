#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/fuzz/mutate.hpp"
#include "tests/fuzz/trials.hpp"
#include "tests/support/extra.hpp"
#include "tools/cli/import/imported.hpp"
#include "topology/importers/topology_file/topology_file.hpp"
#include "topology/machine/complete.hpp"
#include "topology/machine/merge.hpp"
#include "topology/machine/path_classes.hpp"

namespace vgsim::cli {
namespace import_fuzz_test {

namespace fs = std::filesystem;
namespace inventory = topology::inventory;

std::string content_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The small files kept for a format, and real samples of it where there are any.
std::vector<std::string> corpus_of(const ImportFormat& format) {
  std::vector<std::string> corpus;
  for (const fs::path& folder :
       {fs::path(VGSIM_SOURCE_DIR "/tests/fuzz/corpus") / format.word,
        test::extra_files() / "topologies", test::extra_files() / "logs"}) {
    if (!fs::exists(folder)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (!entry.is_regular_file() || entry.file_size() > (256u << 10)) continue;
      std::string text = content_of(entry.path());
      if (format_of(text) == &format) corpus.push_back(std::move(text));
    }
  }
  std::sort(corpus.begin(), corpus.end());  // folders are listed in no certain order
  return corpus;
}

/// Whatever an importer makes of a text must go through everything that follows.
void follow_up(Imported imported) {
  if (imported.hosts.empty()) return;
  auto host = inventory::merge(std::move(imported.hosts));
  if (!host) return;
  inventory::complete(*host);
  static_cast<void>(inventory::path_classes(*host));
  const std::string text = inventory::to_topology_text(*host);
  const auto read = inventory::read_topology_file(input::make_source("host.json", text));
  ASSERT_TRUE(read) << "a topology file that we wrote is refused:\n" << input::render(read.error());
  ASSERT_EQ(inventory::to_topology_text(*read), text);
}

void try_to_import(const ImportFormat& format, const std::string& text) {
  static_cast<void>(format_of(text));
  auto imported = format.read(input::make_source("fuzzed", text));
  if (imported) return follow_up(std::move(*imported));
  EXPECT_TRUE(imported.error().has_errors()) << "refused without a reason";
  static_cast<void>(input::render(imported.error()));
}

class ImportFuzz : public ::testing::TestWithParam<const ImportFormat*> {};

TEST_P(ImportFuzz, DamagedFilesNeverCrashNorHang) {
  const ImportFormat& format = *GetParam();
  const std::vector<std::string> corpus = corpus_of(format);
  ASSERT_FALSE(corpus.empty()) << "no file in tests/fuzz/corpus/" << format.word;
  fuzz::try_damaged(
      format.word, [&](std::mt19937_64& random) { return fuzz::mutated(corpus, random); },
      [&](const std::string& text) { try_to_import(format, text); });
}

TEST_P(ImportFuzz, TheFilesOfItsCorpusAreOfThisFormat) {
  const fs::path folder = fs::path(VGSIM_SOURCE_DIR "/tests/fuzz/corpus") / GetParam()->word;
  ASSERT_TRUE(fs::exists(folder)) << folder;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string text = content_of(entry.path());
    EXPECT_EQ(format_of(text), GetParam()) << entry.path();
    const auto imported = GetParam()->read(input::make_source(entry.path().string(), text));
    EXPECT_TRUE(imported) << (imported ? "" : input::render(imported.error()));
  }
}

std::vector<const ImportFormat*> all_formats() {
  std::vector<const ImportFormat*> formats;
  for (const ImportFormat& format : import_formats()) formats.push_back(&format);
  return formats;
}

INSTANTIATE_TEST_SUITE_P(Importers, ImportFuzz, ::testing::ValuesIn(all_formats()),
                         [](const auto& format) {
                           std::string name = format.param->word;
                           std::erase(name, '-');
                           std::erase(name, '_');
                           return name;
                         });

}  // namespace import_fuzz_test
}  // namespace vgsim::cli
