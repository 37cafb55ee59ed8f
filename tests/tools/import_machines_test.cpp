#include <gmock/gmock.h>

#include <filesystem>

#include "tests/support/scenarios.hpp"
#include "tests/tools/program.hpp"
#include "tools/cli/commands/server_comparison.hpp"
#include "tools/cli/import/imported.hpp"
#include "tools/cli/import/read_files.hpp"
#include "topology/machine/path_classes.hpp"

namespace vgsim::cli {
namespace import_machines_test {

namespace fs = std::filesystem;

TEST(ImportMachines, SmallFilesOfEveryFormatAreDetected) {
  std::size_t formats = 0;
  for (const auto& folder : fs::directory_iterator(VGSIM_SOURCE_DIR "/tests/fuzz/corpus")) {
    ++formats;
    for (const auto& entry : fs::directory_iterator(folder)) {
      const ImportFormat* format = format_of(test::read_file(entry.path()));
      ASSERT_NE(format, nullptr) << entry.path();
      EXPECT_EQ(format->word, folder.path().filename()) << entry.path();
    }
  }
  EXPECT_EQ(formats, 16u);
}

/// Machines whose topology files come from cloud instances themselves.
TEST(ImportMachines, ServersOfTheCatalogueHaveThePathClassesOfTheirDescriptions) {
  for (const auto& [machine, server] : {std::pair{"azure_ndv2_v100x8", "azure-ndv2"},
                                        {"azure_ndv4_a100x8", "azure-ndv4"},
                                        {"azure_ndv5_h100x8", "azure-nd-h100-v5"},
                                        {"aws_p4d_a100x8", "aws-p4d"}}) {
    const std::string path = std::string(VGSIM_SOURCE_DIR) +
                             "/tests/models/collectives/nccl/decisions/machines/" + machine +
                             ".json";
    const auto read = read_inventories({path}, std::nullopt);
    ASSERT_TRUE(read) << input::render(read.error());
    const auto text = server_comparison(read->hosts.front(), server, *test::library().catalog);
    ASSERT_TRUE(text) << input::render(text.error());
    EXPECT_THAT(*text, ::testing::HasSubstr(": 0 of ")) << machine << '\n' << *text;
  }
}

}  // namespace import_machines_test
}  // namespace vgsim::cli
