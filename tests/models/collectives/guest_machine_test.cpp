// The machine that NCCL detects in a guest has the job's GPUs at their positions.

#include "models/collectives/guest_machine.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "models/vsphere/guest_view.hpp"
#include "tests/support/described_host.hpp"
#include "tests/support/scenarios.hpp"

namespace vgsim::collectives {
namespace guest_machine_test {

using vsphere::GuestTopology;

/// By the index of a GPU in its machine: its NUMA node, and its rank.
std::map<int, std::pair<int, int>> places_of(const nccl::Machine& machine) {
  std::map<int, std::pair<int, int>> places;
  const auto visit = [&](const auto& self, const nccl::MachinePci& pci, int node) -> void {
    if (pci.gpu) {
      EXPECT_TRUE(places.try_emplace(pci.gpu->dev, node, pci.gpu->rank.value_or(-1)).second)
          << "GPU " << pci.gpu->dev << " twice";
    }
    for (const nccl::MachinePci& child : pci.children) self(self, child, node);
  };
  for (const nccl::MachineCpu& cpu : machine.cpus) {
    for (const nccl::MachinePci& pci : cpu.pcis) visit(visit, pci, cpu.numa_id);
  }
  return places;
}

std::size_t nets_of(const nccl::Machine& machine) {
  std::size_t nets = 0;
  const auto visit = [&](const auto& self, const nccl::MachinePci& pci) -> void {
    nets += pci.nets.size();
    for (const nccl::MachinePci& child : pci.children) self(self, child);
  };
  for (const nccl::MachineCpu& cpu : machine.cpus) {
    for (const nccl::MachinePci& pci : cpu.pcis) visit(visit, pci);
  }
  return nets;
}

TEST(GuestMachine, HasTheGpusOfAJobThatTakesSomeWhereAllOfThemAre) {
  topology::Topology host;
  input::Diagnostics diagnostics;
  test::add_described_host(host, "h", R"({"server": "dell-xe9680",
    "nics": {"n0": {"nic": "connectx-7-ndr-400g", "near": "gpu1"},
             "n1": {"nic": "connectx-7-ndr-400g", "near": "gpu6"}}})",
                           diagnostics);
  ASSERT_FALSE(diagnostics.has_errors()) << input::render(diagnostics);
  topology::add_ports(host, 0, {});
  for (const auto topology :
       {GuestTopology::kFlat, GuestTopology::kVnuma, GuestTopology::kTopoFile}) {
    vsphere::VirtualMachine vm = vsphere::bare_metal(host, 0);
    vm.mode = &vsphere::gpu_mode("passthrough");
    vm.guest_topology = topology;
    for (vsphere::VmNic& nic : vm.nics) nic.mode = &vsphere::nic_mode("passthrough");
    const auto machine_of = [&](const vsphere::VirtualMachine& guest) {
      const vsphere::GuestView view(host, guest);
      return guest_machine(host, *test::library().catalog, view);
    };
    const auto whole = places_of(machine_of(vm));
    ASSERT_EQ(whole.size(), 8U);
    for (unsigned some = 1; some < 256; ++some) {
      std::vector<std::size_t> gpus;
      for (std::size_t g = 0; g < 8; ++g) {
        if ((some >> g & 1U) != 0) gpus.push_back(g);
      }
      const nccl::Machine machine = machine_of(vsphere::with_gpus(vm, gpus));
      const auto part = places_of(machine);
      EXPECT_EQ(nets_of(machine), 2U);
      ASSERT_EQ(part.size(), gpus.size()) << some;
      for (std::size_t rank = 0; rank < gpus.size(); ++rank) {
        const auto number = static_cast<int>(gpus[rank]);
        ASSERT_TRUE(part.contains(number)) << some << ": GPU " << number;
        EXPECT_EQ(part.at(number).first, whole.at(number).first) << some << ": GPU " << number;
        EXPECT_EQ(part.at(number).second, static_cast<int>(rank)) << some;
      }
    }
  }
}

}  // namespace guest_machine_test
}  // namespace vgsim::collectives
