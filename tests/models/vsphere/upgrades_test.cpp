// What an upgrade of vSphere does to a layout that both versions allow.

#include <gtest/gtest.h>

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/scenarios.hpp"

namespace vgsim {
namespace upgrades_test {

using vsphere::Verdict;
using vsphere::Versions;

struct Judged {
  std::optional<double> seconds;  ///< nothing where the version refuses the layout
  std::set<std::string> prices;
};

Judged in(const std::string& version, const std::string& host, const std::string& vm) {
  const auto result = test::run_one(
      R"({"name": "upgrade", "vsphere": ")" + version + R"(", "hosts": {"e[1-2]": {)" + host +
      R"(, "nics": {"n": {"nic": "connectx-6-dx-100g", "near": "gpu0"}}}},
          "vms": {"a[1-2]": {"host": "e[1-2]", "guest_topology": "topo_file", )" +
      vm + R"(}},
          "job": {"collective": "all_reduce", "sizes": ["64 MB"], "vms": "a1"}})");
  Judged judged;
  if (!result.refused) judged.seconds = to_seconds(result.collective->points.front().time);
  for (const auto& warning : result.warnings) {
    if (warning.verdict == Verdict::kWarning) judged.prices.insert(warning.rule);
  }
  return judged;
}

/// A price of the newer version alone, which a source states and which came after the older one.
bool is_stated(const Judged& older, const Judged& newer, const std::string& version) {
  for (const std::string& id : newer.prices) {
    const vsphere::Rule& rule = test::library().vsphere->rules.find(id)->second;
    const std::string& evidence = rule.evidence.kind;
    const bool states = evidence == "read" || evidence == "excerpt" || evidence == "measured";
    if (!older.prices.contains(id) && states && vsphere::is_older(version, rule.from)) return true;
  }
  return false;
}

class Upgrades
    : public ::testing::TestWithParam<std::pair<const char*, std::pair<const char*, const char*>>> {
};

TEST_P(Upgrades, NeverSlowALayoutDownWithoutARuleWhoseSourceSaysSo) {
  const auto& [host, vm] = GetParam().second;
  std::vector<Judged> by_version;
  for (const std::string& version : Versions::words()) by_version.push_back(in(version, host, vm));
  std::size_t allowed = 0;
  for (std::size_t newer = 0; newer < by_version.size(); ++newer) {
    if (!by_version[newer].seconds) continue;
    ++allowed;
    for (std::size_t older = 0; older < newer; ++older) {
      if (!by_version[older].seconds) continue;
      const bool slower = *by_version[newer].seconds > *by_version[older].seconds * (1 + 1e-9);
      EXPECT_TRUE(!slower ||
                  is_stated(by_version[older], by_version[newer], Versions::words()[older]))
          << GetParam().first << ": " << *by_version[older].seconds << " s in "
          << Versions::words()[older] << ", " << *by_version[newer].seconds << " s in "
          << Versions::words()[newer];
    }
  }
  EXPECT_GE(allowed, 3U) << "versions that allow it";
}

constexpr const char* kR750xa =
    R"("server": "dell-r750xa", "gpus": "4 x a100-pcie-80gb", "nvlink_bridges": [[0, 1], [2, 3]])";
constexpr const char* kXe8545 = R"("server": "dell-xe8545", "gpus": "4 x a100-sxm4-80gb")";
constexpr const char* kXe9680 = R"("server": "dell-xe9680", "gpus": "8 x h100-sxm5-80gb")";
constexpr const char* kDss8440 = R"("server": "dell-dss8440", "gpus": "4 x a100-pcie-80gb")";

INSTANTIATE_TEST_SUITE_P(
    Layouts, Upgrades,
    ::testing::Values(
        std::pair("four vGPUs of two bridged pairs",
                  std::pair(kR750xa, R"("gpus": {"mode": "vgpu", "profile": "grid_a100d-80c"})")),
        std::pair("one bridged pair of vGPUs",
                  std::pair(kR750xa, R"("gpus": {"mode": "vgpu", "devices": ["gpu0", "gpu1"],
                                                 "profile": "grid_a100d-80c"})")),
        std::pair("halves of bridged GPUs",
                  std::pair(kR750xa, R"("gpus": {"mode": "vgpu", "devices": ["gpu0", "gpu1"],
                                                 "profile": "grid_a100d-40c"})")),
        std::pair("two bridged pairs in passthrough",
                  std::pair(kR750xa, R"("gpus": {"mode": "passthrough"})")),
        std::pair("four vGPUs of a mesh",
                  std::pair(kXe8545, R"("gpus": {"mode": "vgpu", "profile": "grid_a100dx-80c"})")),
        std::pair("four vGPUs of a mesh with unified memory",
                  std::pair(kXe8545, R"("unified_memory": true,
                                        "gpus": {"mode": "vgpu", "profile": "grid_a100dx-80c"})")),
        std::pair("a group of four on a mesh", std::pair(kXe8545, R"("gpus": {"mode": "vgpu",
                      "device_groups": ["Nvidia:4@grid_a100dx-80c%NVLink"]})")),
        std::pair("a mesh in passthrough",
                  std::pair(kXe8545, R"("gpus": {"mode": "passthrough"})")),
        std::pair("an NVSwitch board in passthrough",
                  std::pair(kXe9680, R"("gpus": {"mode": "passthrough"})")),
        std::pair("half of an NVSwitch board in passthrough",
                  std::pair(kXe9680, R"("gpus": {"mode": "passthrough", "count": 4})")),
        std::pair("a group of eight behind NVSwitches",
                  std::pair(kXe9680, R"("gpus": {"mode": "vgpu",
                      "device_groups": ["Nvidia:8@nvidia_h100xm-80c%NVLink"]})")),
        std::pair("the same with unified memory",
                  std::pair(kXe9680, R"("unified_memory": true, "gpus": {"mode": "vgpu",
                      "device_groups": ["Nvidia:8@nvidia_h100xm-80c%NVLink"]})")),
        std::pair("four single vGPUs behind NVSwitches",
                  std::pair(kXe9680, R"("gpus": {"mode": "vgpu", "count": 4,
                                                 "profile": "nvidia_h100xm-80c"})")),
        std::pair("four GPUs under PCIe switches in passthrough",
                  std::pair(kDss8440, R"("gpus": {"mode": "passthrough"})")),
        std::pair("MIG-backed vGPUs", std::pair(kDss8440, R"("gpus": {"mode": "vgpu", "count": 2,
                                                  "profile": "grid_a100d-7-80c"})"))));

}  // namespace upgrades_test
}  // namespace vgsim
