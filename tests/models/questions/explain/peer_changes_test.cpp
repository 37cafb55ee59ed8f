// Changes of what slows peer-to-peer traffic over PCIe down: access control, the IOMMU, and GPUs
// whose driver does not offer it.

#include <gtest/gtest.h>

#include "tests/support/explained.hpp"

namespace vgsim {
namespace peer_changes_test {

using scenario::TriedChange;
using test::explained;
using test::Explained;
using test::seconds_of;

/// Two hosts with a NIC next to each GPU, below the same PCIe switch.
std::string on_hosts(const std::string& host, const std::string& more = "") {
  return R"({"name": "x", "hosts": {"h[1-2]": {"server": "dgx-h100",
      "nics": {"n[0-7]": {"nic": "connectx-7-ndr-400g", "near": "gpu[0-7]"}})" +
         host + R"(}}, "fabric": {"kind": "single-switch"}, )" + more +
         R"("job": {"collective": "all_reduce", "sizes": ["1 GiB"]}})";
}

/// The same in VMs that see the hosts' PCIe trees.
std::string in_vms(const std::string& host) {
  return on_hosts(host, R"("vsphere": "8.0U3", "vms": {"v[1-2]": {"host": "h[1-2]",
      "gpus": {"mode": "passthrough"}, "nics": {"n[0-7]": "passthrough"},
      "guest_topology": "topo_file", "allow_p2p": true}}, )");
}

/// https://github.com/NVIDIA/nccl/issues/2409: cleared ACS and iommu=pt repaired it.
TEST(PeerChanges, OfHostsWithoutAHypervisorBeginWithClearedAcs) {
  const std::string slow = R"(, "acs": true, "iommu": "translate")";
  const Explained all = explained(on_hosts(slow));
  ASSERT_EQ(all.tried.front().change.id, "clear-acs");
  EXPECT_GT(all.tried.front().gain(), 0.5);
  EXPECT_NEAR(all.tried.front().after_s,
              seconds_of(on_hosts(R"(, "acs": false, "iommu": "translate")")), 1e-12);
  const TriedChange* iommu = all.change("iommu-passthrough");
  ASSERT_NE(iommu, nullptr);
  EXPECT_GT(iommu->gain(), 0.5);
  EXPECT_NEAR(iommu->after_s, seconds_of(on_hosts(R"(, "acs": true, "iommu": "passthrough")")),
              1e-12);
  EXPECT_EQ(all.change("ats"), nullptr) << "a setting of vSphere";
  EXPECT_EQ(all.change("relax-acs"), nullptr) << "a setting of VMs";
}

TEST(PeerChanges, AreNotTriedWhereNothingIsSlow) {
  const Explained all = explained(on_hosts(R"(, "acs": false, "iommu": "passthrough")"));
  EXPECT_EQ(all.change("clear-acs"), nullptr);
  EXPECT_EQ(all.change("iommu-passthrough"), nullptr);
  EXPECT_EQ(all.change("pcie-p2p"), nullptr) << "its GPUs have it";
}

TEST(PeerChanges, OfVmsAreThoseOfTheHypervisor) {
  const Explained all = explained(in_vms(R"(, "acs": true)"));
  const TriedChange* relaxed = all.change("relax-acs");
  ASSERT_NE(relaxed, nullptr);
  EXPECT_GT(relaxed->gain(), 0.05);
  EXPECT_NE(all.change("ats"), nullptr);
  EXPECT_EQ(all.change("clear-acs"), nullptr);
  EXPECT_EQ(all.change("iommu-passthrough"), nullptr) << "for VMs the IOMMU translates";
  EXPECT_EQ(all.assumption("assumed-acs"), nullptr);
  EXPECT_EQ(all.assumption("assumed-iommu"), nullptr);
}

TEST(PeerAssumptions, NameAcsAndTheIommuOfHostsThatDoNotStateThem) {
  const Explained all = explained(on_hosts(""));
  const TriedChange* acs = all.assumption("assumed-acs");
  ASSERT_NE(acs, nullptr);
  EXPECT_NEAR(acs->after_s, seconds_of(on_hosts(R"(, "acs": true)")), 1e-12);
  const TriedChange* iommu = all.assumption("assumed-iommu");
  ASSERT_NE(iommu, nullptr);
  EXPECT_NEAR(iommu->after_s, seconds_of(on_hosts(R"(, "acs": true, "iommu": "translate")")),
              1e-12);
  EXPECT_GT(iommu->after_s, acs->after_s);

  const Explained stated = explained(on_hosts(R"(, "acs": false, "iommu": "off")"));
  EXPECT_EQ(stated.assumption("assumed-acs"), nullptr);
  EXPECT_EQ(stated.assumption("assumed-iommu"), nullptr);
}

TEST(PeerAssumptions, AreNotMadeForJobsWithoutPeerTrafficOverPcie) {
  const Explained inside = explained(R"({"name": "x", "hosts": {"h": {"server": "dgx-h100"}},
      "job": {"collective": "all_reduce", "sizes": ["1 GiB"]}})");
  EXPECT_EQ(inside.assumption("assumed-acs"), nullptr) << "it is all over NVLink";
  EXPECT_EQ(inside.assumption("assumed-iommu"), nullptr);
}

std::string four_cards(const std::string& gpu, const std::string& collective,
                       const std::string& host = "", const std::string& nccl = "") {
  return R"({"name": "x", "hosts": {"h": {"server": "generic-milan-2+2", "gpus": "4 x )" + gpu +
         "\"" + host + R"(}}, "job": {"collective": ")" + collective +
         R"(", "sizes": ["1 GiB"], "nccl": {"version": "2.23.4")" + nccl + "}}}";
}

/// https://github.com/NVIDIA/nccl/issues/1603: with peer-to-peer AllReduce gains, and AllToAll
/// loses most of its rate.
TEST(PeerChanges, NameTheAccessThatGeForceDoesNotHaveOnlyWhereItHelps) {
  const auto helping_in = [](const Explained& all) {
    const auto helping = scenario::helping_changes(all.tried, false);
    return std::ranges::any_of(
        helping, [](const TriedChange* each) { return each->change.id == "pcie-p2p"; });
  };
  const Explained reduces = explained(four_cards("rtx-4090", "all_reduce"));
  EXPECT_TRUE(helping_in(reduces));
  const TriedChange* peers = reduces.change("pcie-p2p");
  ASSERT_NE(peers, nullptr);
  EXPECT_GT(peers->gain(), 0.1);
  EXPECT_NEAR(peers->after_s,
              seconds_of(four_cards("rtx-4090", "all_reduce", R"(, "pcie_p2p": true)",
                                    R"(, "NCCL_P2P_LEVEL": "SYS")")),
              1e-12);
  EXPECT_NE(peers->change.needs.front().find("GeForce"), std::string::npos);
  EXPECT_TRUE(reduces.tries("/hosts/h/pcie_p2p"));

  const Explained exchanges = explained(four_cards("rtx-4090", "all_to_all"));
  EXPECT_TRUE(exchanges.tries("/hosts/h/pcie_p2p"));
  EXPECT_FALSE(helping_in(exchanges));

  const Explained others = explained(four_cards("a100-pcie-80gb", "all_reduce"));
  EXPECT_FALSE(others.tries("/hosts/h/pcie_p2p")) << "their driver offers it";
  EXPECT_TRUE(others.tries("/job/nccl/NCCL_P2P_LEVEL")) << "NCCL does not use it";
}

}  // namespace peer_changes_test
}  // namespace vgsim
