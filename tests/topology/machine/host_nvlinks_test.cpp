#include "topology/machine/host_nvlinks.hpp"

#include <gmock/gmock.h>

#include "tests/topology/importers/import_fixture.hpp"

namespace vgsim::topology::testing {
namespace host_nvlinks_test {

using namespace vgsim::literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// GPU number `dev` at bus 0`dev`, an A100, with these NVLinks on a separate line.
std::string gpu(int dev, const std::string& links,
                const std::string& ids = "vendor=\"0x10de\" device=\"0x20b0\"") {
  const std::string number = std::to_string(dev);
  return "<pci busid=\"0000:0" + number + ":00.0\" class=\"0x030200\" " + ids + "><gpu dev=\"" +
         number + "\" sm=\"80\">" + links + "</gpu></pci>\n";
}

std::string link(int target, int count) {
  return "<nvlink target=\"0000:0" + std::to_string(target) + ":00.0\" count=\"" +
         std::to_string(count) + "\" tclass=\"0x030200\"/>";
}

constexpr const char* kToSwitch =
    "<nvlink target=\"0000:c1:00.0\" count=\"6\" tclass=\"0x068000\"/>"
    "<nvlink target=\"0000:c2:00.0\" count=\"6\" tclass=\"0x068000\"/>";

std::string three_gpus() { return one_cpu(gpu(0, "") + gpu(1, "") + gpu(2, "")); }

const LinkResource* between(const Imported& result, std::size_t a, std::size_t b) {
  return result.nvlink(result.host().gpus.at(a), result.host().gpus.at(b));
}

TEST(HostNvLinks, JoinGpus) {
  const Imported result =
      import_text(one_cpu(gpu(0, link(1, 4)) + gpu(1, link(0, 4)) + gpu(2, "")));
  ASSERT_TRUE(result.ok()) << render(result.diagnostics);
  ASSERT_NE(between(result, 0, 1), nullptr);
  EXPECT_EQ(between(result, 0, 1)->line_rate, 100_GBps);
  EXPECT_EQ(between(result, 1, 2), nullptr);
  EXPECT_EQ(result.gpu_path(0, 1), PathClass::kNvl);
  EXPECT_EQ(result.gpu_path(0, 2), PathClass::kPhb);
}

TEST(HostNvLinks, AllSwitchesAreOne) {
  const Imported result = import_text(one_cpu(gpu(0, kToSwitch) + gpu(1, kToSwitch)));
  ASSERT_TRUE(result.ok()) << render(result.diagnostics);
  EXPECT_EQ(result.count(NodeKind::kNvSwitch), 1u);
  EXPECT_EQ(result.gpu_path(0, 1), PathClass::kNvl);
  for (const LinkResource& resource : result.topology.resources) {
    if (resource.kind == LinkKind::kNvLink) {
      EXPECT_EQ(resource.line_rate, 300_GBps);
    }
  }
}

TEST(HostNvLinks, AnUnseenSwitchIsOneToo) {
  const std::string unseen =
      "<nvlink target=\"fffffff:ff:ff.0\" count=\"12\" tclass=\"0x068000\"/>";
  const Imported result = import_text(one_cpu(gpu(0, unseen) + gpu(1, unseen)));
  EXPECT_EQ(result.gpu_path(0, 1), PathClass::kNvl);
}

TEST(HostNvLinks, AnUnknownModelHasTheGenerationOfItsCapability) {
  const Imported result = import_text(one_cpu(gpu(0, link(1, 12), "") + gpu(1, link(0, 12), "")));
  ASSERT_TRUE(result.ok()) << render(result.diagnostics);
  EXPECT_EQ(between(result, 0, 1)->line_rate, 300_GBps);
}

TEST(HostNvLinks, DifferentCountsAreAnError) {
  const Imported result = import_text(one_cpu(gpu(0, link(1, 4)) + gpu(1, link(0, 2))));
  EXPECT_THAT(result.codes(), ElementsAre("3:2 E523"));
  EXPECT_TRUE(result.says("0000:00:00.0 counts 4 NVLinks to 0000:01:00.0, which counts 2 back"));
}

TEST(HostNvLinks, OneSidedCountsAreAnError) {
  const Imported result = import_text(one_cpu(gpu(0, "") + gpu(1, link(0, 2))));
  EXPECT_THAT(result.codes(), ElementsAre(HasSubstr("E523")));
  EXPECT_TRUE(result.says("0000:01:00.0 counts 2 NVLinks to 0000:00:00.0, which counts 0 back"));
}

TEST(HostNvLinks, LinksToNowhereAreIgnored) {
  const Imported result = import_text(one_cpu(gpu(0, link(0, 12)) + gpu(1, link(7, 4))));
  ASSERT_TRUE(result.ok()) << render(result.diagnostics);
  EXPECT_THAT(result.codes(), ElementsAre(HasSubstr("W505"), HasSubstr("W505")));
  EXPECT_TRUE(result.says("leads to itself"));
  EXPECT_TRUE(result.says("leads to no GPU of the file"));
  ASSERT_EQ(result.host().open.size(), 1u);
  EXPECT_THAT(result.host().open.front().text, HasSubstr("NVLinks between 2 a100-40"));
}

TEST(HostNvLinks, LinksToTheCpuAreNotModelled) {
  const std::string to_cpu = "<nvlink target=\"0004:00:00.0\" count=\"3\" tclass=\"0x068001\"/>";
  const Imported result =
      import_text(one_cpu(gpu(0, to_cpu) + gpu(1, "<c2c bw=\"1\" count=\"1\"/>")));
  EXPECT_TRUE(result.assumes("NVLinks to the CPU are not modelled: 0000:00:00.0"));
  EXPECT_TRUE(result.assumes("C2C links to the CPU are not modelled: 0000:01:00.0"));
}

TEST(HostNvLinks, ASkeletonReportsThatItHasNone) {
  EXPECT_TRUE(import_text(three_gpus()).assumes("add \"nvlink\" to the scenario"));
  EXPECT_FALSE(import_text(one_cpu(gpu(0, ""))).assumes("NVLink"));
}

TEST(HostNvLinks, ALayoutReplacesTheFile) {
  const Imported bridge = import_text(one_cpu(gpu(0, link(1, 4)) + gpu(1, link(0, 4)) + gpu(2, "")),
                                      [](const Catalog&) {
                                        HostCompletion completion;
                                        completion.nvlink = NvLinkLayout{};
                                        completion.nvlink->kind = NvLinkLayout::Kind::kBridge;
                                        completion.nvlink->pairs = {{1, 2}};
                                        return completion;
                                      });
  ASSERT_TRUE(bridge.ok()) << render(bridge.diagnostics);
  EXPECT_EQ(between(bridge, 0, 1), nullptr);
  EXPECT_EQ(between(bridge, 1, 2)->line_rate, 300_GBps);
}

TEST(HostNvLinks, ALayoutCanBeASwitchAMeshOrAMatrix) {
  const Imported nvswitch = import_text(three_gpus(), [](const Catalog&) {
    HostCompletion completion;
    completion.nvlink = NvLinkLayout{};
    completion.nvlink->kind = NvLinkLayout::Kind::kNvSwitch;
    completion.nvlink->nvswitch = "nvswitch2";
    return completion;
  });
  EXPECT_EQ(nvswitch.gpu_path(0, 2), PathClass::kNvl);
  const Imported mesh = import_text(three_gpus(), [](const Catalog&) {
    HostCompletion completion;
    completion.nvlink = NvLinkLayout{};
    completion.nvlink->kind = NvLinkLayout::Kind::kMesh;
    completion.nvlink->links_per_pair = 6;
    return completion;
  });
  EXPECT_EQ(between(mesh, 0, 2)->line_rate, 150_GBps);
  const Imported matrix = import_text(three_gpus(), [](const Catalog&) {
    HostCompletion completion;
    completion.nvlink = NvLinkLayout{};
    completion.nvlink->kind = NvLinkLayout::Kind::kMatrix;
    completion.nvlink->links = {{0, 2, 0}, {2, 0, 1}, {0, 1, 0}};
    return completion;
  });
  EXPECT_EQ(between(matrix, 1, 2)->line_rate, 25_GBps);
  EXPECT_EQ(between(matrix, 0, 2), nullptr);
}

TEST(HostNvLinks, ALayoutMustFitTheGpus) {
  const Imported pair = import_text(three_gpus(), [](const Catalog&) {
    HostCompletion completion;
    completion.nvlink = NvLinkLayout{};
    completion.nvlink->kind = NvLinkLayout::Kind::kBridge;
    completion.nvlink->pairs = {{2, 3}};
    return completion;
  });
  EXPECT_TRUE(pair.says("joins GPUs 2 and 3, but the file has GPUs 0 to 2"));
  const Imported matrix = import_text(three_gpus(), [](const Catalog&) {
    HostCompletion completion;
    completion.nvlink = NvLinkLayout{};
    completion.nvlink->kind = NvLinkLayout::Kind::kMatrix;
    completion.nvlink->links = {{0, 2, 0}, {1, 0, 1}, {0, 1, 0}};
    return completion;
  });
  EXPECT_TRUE(matrix.says("symmetric one of 3 x 3"));
  const Imported unknown =
      import_text(one_cpu(gpu(0, "", "") + gpu(1, "", "")), [](const Catalog&) {
        HostCompletion completion;
        completion.nvlink = NvLinkLayout{};
        completion.nvlink->kind = NvLinkLayout::Kind::kMesh;
        completion.nvlink->links_per_pair = 6;
        return completion;
      });
  EXPECT_TRUE(unknown.says("0000:00:00.0 is of unknown model; give \"gpus\" as well"));
}

TEST(HostNvLinks, AnUncataloguedGenerationIsAnError) {
  Catalog catalog = small_catalog();
  catalog.nvswitches.clear();
  const auto source =
      input::make_source("test.xml", one_cpu(gpu(0, kToSwitch) + gpu(1, kToSwitch)));
  Imported imported = import_with(std::move(catalog), source);
  EXPECT_TRUE(imported.says("no NVSwitch for nvlink3"));
  imported.catalog.nvlinks.clear();
  EXPECT_TRUE(
      import_with(std::move(imported.catalog), source).says("of an unknown generation: nvlink3"));
}

}  // namespace host_nvlinks_test
}  // namespace vgsim::topology::testing
