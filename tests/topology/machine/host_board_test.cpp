// NVLinks of the GPUs' board where a dump does not contain them.

#include "topology/machine/host_board.hpp"

#include <gmock/gmock.h>

#include "tests/topology/importers/import_fixture.hpp"

namespace vgsim::topology::testing {
namespace host_board_test {

using namespace vgsim::literals;
using ::testing::HasSubstr;
using Kind = OpenPoint::Kind;

constexpr const char* kA100 = "vendor=\"0x10de\" device=\"0x20b0\"";
constexpr const char* kT4 = "vendor=\"0x10de\" device=\"0x1eb8\"";

/// GPUs as a file that was written by hand lists them: without <gpu>; or with what is in it.
std::string gpus(int count, const char* ids, const std::string& inside = {}) {
  std::string text;
  for (int g = 0; g < count; ++g) {
    text += "<pci busid=\"0000:" + std::to_string(10 + g) + ":00.0\" class=\"0x030200\" " + ids +
            ">" + inside + "</pci>\n";
  }
  return text;
}

const LinkResource* between(const Imported& result, std::size_t a, std::size_t b) {
  return result.nvlink(result.host().gpus.at(a), result.host().gpus.at(b));
}

TEST(BoardNvLinks, AreUsedIfTheFileHasNone) {
  const Imported four = import_text(one_cpu(gpus(4, kA100)));
  ASSERT_TRUE(four.ok()) << render(four.diagnostics);
  for (std::size_t a = 0; a < 4; ++a) {
    for (std::size_t b = a + 1; b < 4; ++b) {
      ASSERT_NE(between(four, a, b), nullptr) << a << " " << b;
      EXPECT_EQ(between(four, a, b)->line_rate, 100_GBps) << "four links of 25 GB/s";
    }
  }
  const Imported eight = import_text(one_cpu(gpus(8, kA100)));
  EXPECT_EQ(eight.count(NodeKind::kNvSwitch), 1u);
  EXPECT_EQ(eight.gpu_path(0, 7), PathClass::kNvl);
  for (const Imported* each : {&four, &eight}) {
    ASSERT_EQ(each->host().open.size(), 1u);
    EXPECT_EQ(each->host().open.front().kind, Kind::kTaken);
    EXPECT_THAT(each->host().open.front().text, HasSubstr("taken as on a board of"));
  }
}

/// The user learns which name the catalogue lacks, and what is nearest to it.
TEST(BoardNvLinks, NeedTheModelWhoseNameTheCatalogueLacks) {
  Imported result;
  result.catalog = small_catalog();
  result.catalog.gpus["h100"].driver_name = "NVIDIA H100 80GB HBM3";
  result.catalog.gpus["t4"].driver_name = "Tesla T4";
  inventory::Inventory host;
  for (const char* bus_id : {"0000:0a:00.0", "0000:0b:00.0"}) {
    inventory::Device& gpu = host.numa_nodes.emplace_back().devices.emplace_back();
    gpu.kind = inventory::DeviceKind::kGpu;
    gpu.bus_id = bus_id;
    gpu.name = {"NVIDIA H105 81GB HBM3", "smi.txt"};
    gpu.gpu.emplace();
  }
  DeviceBuilder devices(result.topology, result.catalog, "host");
  inventory::build_inventory_host(host, {}, {input::make_source("host.json", "")}, devices,
                                  result.diagnostics);
  ASSERT_TRUE(result.ok()) << render(result.diagnostics);
  const std::string what =
      "\"NVIDIA H105 81GB HBM3\", which is not in the catalogue (nearest: h100)";
  ASSERT_EQ(result.host().open.size(), 1u);
  EXPECT_THAT(result.host().open.front().text,
              HasSubstr("the model of these 2 GPUs, " + what + ": add"));
  EXPECT_TRUE(result.assumes("GPUs of unknown model: " + what));
}

TEST(BoardNvLinks, AreOverriddenByADumpWithoutNvLinks) {
  const Imported result = import_text(one_cpu(gpus(8, kA100, "<gpu sm=\"80\"/>")));
  EXPECT_NE(result.gpu_path(0, 1), PathClass::kNvl);
  ASSERT_EQ(result.host().open.size(), 1u);
  EXPECT_EQ(result.host().open.front().kind, Kind::kDisputed);
  EXPECT_THAT(result.host().open.front().text, HasSubstr("no NVLinks of a GPU"));
}

TEST(BoardNvLinks, AreOverriddenByADumpWithOthers) {
  const char* six =
      "<gpu sm=\"80\"><nvlink target=\"fffffff:ff:ff.0\" count=\"6\" tclass=\"0x068000\"/></gpu>";
  const Imported result = import_text(one_cpu(gpus(8, kA100, six)));
  for (const LinkResource& resource : result.topology.resources) {
    if (resource.kind == LinkKind::kNvLink) {
      EXPECT_EQ(resource.line_rate, 150_GBps);
    }
  }
  ASSERT_EQ(result.host().open.size(), 1u);
  EXPECT_EQ(result.host().open.front().kind, Kind::kDisputed);
  EXPECT_THAT(result.host().open.front().text, HasSubstr("6 NVLinks of a GPU"));
  EXPECT_THAT(result.host().open.front().text, HasSubstr("has 12"));
}

TEST(BoardNvLinks, AreNotMentionedWhereTheDumpShowsTheSame) {
  const char* twelve =
      "<gpu sm=\"80\"><nvlink target=\"fffffff:ff:ff.0\" count=\"12\" tclass=\"0x068000\"/></gpu>";
  EXPECT_TRUE(import_text(one_cpu(gpus(8, kA100, twelve))).host().open.empty());
}

TEST(BoardNvLinks, MustBeStatedForAnUnknownBoard) {
  const Imported result = import_text(one_cpu(gpus(3, kA100)));
  ASSERT_EQ(result.host().open.size(), 1u);
  EXPECT_TRUE(result.host().open.front().is_needed());
  EXPECT_THAT(result.host().open.front().text, HasSubstr("NVLinks between 3 a100-40"));
}

TEST(BoardNvLinks, AreNotRequiredForCardsAndForOneGpu) {
  EXPECT_TRUE(import_text(one_cpu(gpus(4, kT4))).host().open.empty());
  EXPECT_TRUE(import_text(one_cpu(gpus(1, kA100))).host().open.empty());
}

TEST(BoardNvLinks, NeedTheModelOfTheGpus) {
  const Imported result = import_text(one_cpu(gpus(2, "")));
  ASSERT_EQ(result.host().open.size(), 1u);
  EXPECT_TRUE(result.host().open.front().is_needed());
  EXPECT_THAT(result.host().open.front().text, HasSubstr("the model of these 2 GPUs"));
}

TEST(BoardNvLinks, AreOverriddenByTheScenario) {
  const Imported result =
      import_text(one_cpu(gpus(4, kA100)), [](const Catalog&) -> HostCompletion {
        HostCompletion completion;
        completion.nvlink.emplace();
        return completion;
      });
  EXPECT_NE(result.gpu_path(0, 1), PathClass::kNvl);
  EXPECT_TRUE(result.host().open.empty());
}

}  // namespace host_board_test
}  // namespace vgsim::topology::testing
