#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>

#include "tests/support/extra.hpp"
#include "tests/topology/importers/import_fixture.hpp"

namespace vgsim::topology::testing {
namespace nccl_shared_files_test {

namespace fs = std::filesystem;

/// Dumps of real machines.
fs::path dumps() { return test::extra_files() / "topologies" / "nccl-xml"; }

std::vector<std::string> dump_names() {
  std::vector<std::string> names;
  std::error_code absent;
  for (const auto& entry : fs::directory_iterator(dumps(), absent)) {
    if (entry.path().extension() == ".xml") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string text_of(const std::string& name) {
  std::ifstream file(dumps() / (name + ".xml"), std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::size_t matches(const std::string& text, const char* regex) {
  const std::regex pattern(regex);
  return static_cast<std::size_t>(
      std::distance(std::sregex_iterator(text.begin(), text.end(), pattern), {}));
}

/// AWS lists eight A10G of a g5 by bus id only, and in the newer file a NIC behind them.
HostCompletion complete_g5(const Catalog& catalog) {
  HostCompletion completion;
  for (const char* slot : {"16", "17", "18", "19", "1a", "1b", "1c", "1d"}) {
    completion.gpus[std::string("0000:00:") + slot + ".0"] = &catalog.gpus.at("t4");
  }
  return completion;
}

HostCompletion complete_g5_with_nic(const Catalog& catalog) {
  HostCompletion completion = complete_g5(catalog);
  completion.nics["0000:00:15.0"] = &catalog.nics.at("rdma-100g");
  return completion;
}

Imported import_dump(const std::string& name) {
  Completing completing = nullptr;
  if (name.starts_with("aws-g5")) completing = complete_g5;
  if (name == "aws-g5.48xl") completing = complete_g5_with_nic;
  return import_text(text_of(name), completing);
}

/// GPUs of a file: what it marks as such, or what has their PCI class.
std::size_t gpus_of(const std::string& name, const std::string& text) {
  if (name.starts_with("aws-g5")) return 8;
  return matches(text, " class=\"0x0302");
}

/// NICs of a file: PCI devices of their class, and ports without a PCI device, each name once.
std::size_t nics_of(const std::string& name, const std::string& text) {
  if (name == "aws-g5.48xl") return 1;
  const bool has_eth0 = text.find("<net name=\"eth0\"") != std::string::npos;
  return matches(text, " class=\"0x02") + (has_eth0 ? 1 : 0);
}

class SharedDump : public ::testing::TestWithParam<std::string> {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(SharedDump);

TEST_P(SharedDump, IsImportedOrRefusedWithAReason) {
  const std::string name = GetParam();
  const Imported result = import_dump(name);
  if (name.starts_with("rccl-")) {
    ASSERT_EQ(result.diagnostics.items().size(), 1u);
    EXPECT_TRUE(result.says("AMD GPUs are not supported, NVIDIA GPUs only"));
    return;
  }
  if (name.starts_with("TRUNC-")) {
    EXPECT_TRUE(result.says("the file ends too early"));
    return;
  }
  const std::string text = text_of(name);
  ASSERT_TRUE(result.ok()) << render(result.diagnostics);
  EXPECT_EQ(result.host().gpus.size(), gpus_of(name, text));
  EXPECT_EQ(result.host().nics.size(), nics_of(name, text));
  for (std::size_t a = 0; a < result.host().gpus.size(); ++a) {
    for (std::size_t b = 0; b < result.host().gpus.size(); ++b) {
      EXPECT_LE(result.gpu_path(a, b), PathClass::kSys) << a << " " << b;
    }
    for (std::size_t n = 0; n < result.host().nics.size(); ++n) {
      EXPECT_LE(result.nic_path(a, n), PathClass::kSys) << a << " " << n;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Extra, SharedDump, ::testing::ValuesIn(dump_names()), [](const auto& test) {
      std::string name = test.param;
      std::replace_if(
          name.begin(), name.end(),
          [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
      return name;
    });

/// The import of a dump.
class ExtraDumpOf : public test::NeedsExtraFiles {
 protected:
  static void expect_all_on_nvlink(const Imported& result) {
    for (std::size_t a = 0; a < 8; ++a) {
      for (std::size_t b = 0; b < 8; ++b) {
        EXPECT_EQ(result.gpu_path(a, b), a == b ? PathClass::kLoc : PathClass::kNvl) << a << b;
      }
    }
  }
};

TEST_F(ExtraDumpOf, DgxA100JoinsAllGpusByNvSwitch) {
  const Imported result = import_dump("infragraph-dgx-a100");
  expect_all_on_nvlink(result);
  // Beside its GPU board's own switch, a GPU shares one switch with two NICs.
  for (std::size_t gpu = 0; gpu < 8; ++gpu) {
    std::size_t near = 0;
    for (std::size_t nic = 0; nic < 10; ++nic) near += result.nic_path(gpu, nic) == PathClass::kPxb;
    EXPECT_EQ(near, 2u) << gpu;
  }
}

TEST_F(ExtraDumpOf, IbmsH100VmJoinsAllGpusByNvSwitch) {
  const Imported result = import_dump("ibm-gx3d-160x1792x8h100");
  expect_all_on_nvlink(result);
  for (std::size_t gpu = 0; gpu < 8; ++gpu) {
    EXPECT_EQ(result.nic_path(gpu, 7 - gpu), PathClass::kPix) << gpu;
    // The emulated bridge of 2.5 GT/s x1 does not limit the path: PCIe 5.0 x16 all the way up.
    EXPECT_EQ(result.uplink(result.host().gpus[gpu]).line_rate.count(), 64'000'000'000);
  }
}

TEST_F(ExtraDumpOf, VastAisH200JoinsAllGpusByNvSwitch) {
  expect_all_on_nvlink(import_dump("simllm-vastai-hgx-h200x8"));
}

TEST_F(ExtraDumpOf, AzuresH100SkeletonPutsEachNicBesideItsGpu) {
  const Imported result = import_dump("azure-ndv5");
  for (std::size_t gpu = 0; gpu < 8; ++gpu) {
    EXPECT_EQ(result.nic_path(gpu, gpu), PathClass::kPix) << gpu;
  }
}

TEST_F(ExtraDumpOf, AzuresA100PairIsBridged) {
  EXPECT_EQ(import_dump("azure-nc48v4-nhc").gpu_path(0, 1), PathClass::kNvl);
  EXPECT_EQ(import_dump("azure-ncv4").gpu_path(0, 1), PathClass::kSys);
}

}  // namespace nccl_shared_files_test
}  // namespace vgsim::topology::testing
