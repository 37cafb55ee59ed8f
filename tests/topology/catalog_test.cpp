#include "topology/catalog/catalog.hpp"

#include <gtest/gtest.h>

#include "tests/support/scenarios.hpp"
#include "topology/input/typed.hpp"

namespace vgsim::topology {
namespace {

using namespace literals;

const Catalog& catalog() { return test::library().catalog; }

TEST(CatalogTest, PcieLanesFollowTheStandardsLineEncoding) {
  // Gen3 to Gen5: GT/s x 128/130 / 8, rounded to whole bytes per second.
  EXPECT_NEAR(static_cast<double>(catalog().pcie.at(3).lane_rate.value.count()),
              8e9 * 128 / 130 / 8, 1.0);
  EXPECT_NEAR(static_cast<double>(catalog().pcie.at(4).lane_rate.value.count()),
              16e9 * 128 / 130 / 8, 1.0);
  EXPECT_NEAR(static_cast<double>(catalog().pcie.at(5).lane_rate.value.count()),
              32e9 * 128 / 130 / 8, 1.0);
}

TEST(CatalogTest, NvLinkTotalsAreThoseOfTheDatasheets) {
  // Bidirectional totals: V100 300, A100 600, H100 900, B200 1800 GB/s.
  const auto total = [](const char* name) {
    const GpuModel& gpu = catalog().gpus.at(name);
    return catalog().nvlinks.at(gpu.nvlink).link_bandwidth.value * gpu.nvlink_links * 2;
  };
  EXPECT_EQ(total("v100-sxm2-32gb"), 300_GBps);
  EXPECT_EQ(total("a100-sxm4-80gb"), 600_GBps);
  EXPECT_EQ(total("h100-sxm5-80gb"), 900_GBps);
  EXPECT_EQ(total("b200-sxm-180gb"), 1800_GBps);
}

TEST(CatalogTest, FindsPartsByTheNumbersThatDumpsPrint) {
  ASSERT_NE(catalog().gpu_by_pci_id("10de:20b5"), nullptr);
  EXPECT_EQ(catalog().gpu_by_pci_id("10de:20b5")->id, "a100-pcie-80gb");
  ASSERT_NE(catalog().cpu_by_cpuid(6, 143), nullptr);
  EXPECT_EQ(catalog().cpu_by_cpuid(6, 143)->id, "intel-sapphire-rapids");
  EXPECT_EQ(catalog().gpu_by_pci_id("10de:0000"), nullptr);
}

TEST(CatalogTest, NicsAreDrivenByInfiniBandVerbsWhereTheyDoRdmaUnlessTheySayOtherwise) {
  const auto& nics = catalog().nics;
  EXPECT_EQ(nics.at("connectx-7-ndr-400g").net, NetKind::kIb);
  EXPECT_TRUE(nics.at("connectx-7-ndr-400g").gdr);
  EXPECT_EQ(nics.at("x710-10g").net, NetKind::kSocket);
  EXPECT_FALSE(nics.at("x710-10g").gdr);
  EXPECT_EQ(nics.at("efa-v2-100g").net, NetKind::kEfa);
  EXPECT_TRUE(nics.at("efa-v2-100g").gdr);
  EXPECT_FALSE(nics.at("efa-v1-100g").gdr) << "GPUDirect RDMA came with p4d";
}

TEST(CatalogTest, EveryValueOfEveryFileNamesASource) {
  for (const auto& [kind, document] : catalog().documents) {
    for (const auto& [name, key, entry] : input::find(document, "entries")->members()) {
      for (const auto& [field, location, value] : entry.members()) {
        if (value.member("value") == nullptr) continue;
        EXPECT_NE(value.member("source"), nullptr) << kind << " " << name << " " << field;
      }
    }
  }
}

TEST(CatalogTest, ReportsUnknownSourcesAndParts) {
  const auto file = input::make_source("datasets.json", R"({"kind": "datasets",
    "sources": {"a": {"title": "A", "evidence": "measured"}},
    "entries": {"d": {"name": "D", "samples": {"value": 1, "source": "b"}}}})");
  const auto catalog = Catalog::read({file});
  ASSERT_FALSE(catalog);
  const std::string text = input::render(catalog.error());
  EXPECT_NE(text.find("datasets.json:3:"), std::string::npos) << text;
  EXPECT_NE(text.find("unknown source \"b\""), std::string::npos) << text;
}

}  // namespace
}  // namespace vgsim::topology
