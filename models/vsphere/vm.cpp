#include "models/vsphere/vm.hpp"

namespace vgsim::vsphere {

VirtualMachine bare_metal(const topology::Topology& topology, std::size_t host) {
  VirtualMachine machine;
  machine.name = topology.hosts[host].name;
  machine.host = host;
  machine.mode = &bare_metal_gpus();
  machine.guest_topology = GuestTopology::kTopoFile;
  for (std::size_t g = 0; g < topology.hosts[host].gpus.size(); ++g) machine.gpus.push_back(g);
  machine.nvlink_group.resize(machine.gpus.size());
  machine.nvlink_reach.assign(machine.gpus.size(), 0);
  machine.profiles.resize(machine.gpus.size());
  for (std::size_t n = 0; n < topology.hosts[host].nics.size(); ++n) {
    machine.nics.push_back({n, &bare_metal_nic(), {}});
  }
  return machine;
}

VirtualMachine with_gpus(const VirtualMachine& vm, const std::vector<std::size_t>& positions) {
  VirtualMachine result = vm;
  result.gpus.clear();
  if (positions.size() < vm.gpus.size()) result.gpu_numbers = positions;
  result.nvlink_group.clear();
  result.nvlink_reach.clear();
  result.profiles.clear();
  result.shares.clear();
  for (const std::size_t p : positions) {
    result.gpus.push_back(vm.gpus[p]);
    if (p < vm.nvlink_group.size()) result.nvlink_group.push_back(vm.nvlink_group[p]);
    if (p < vm.nvlink_reach.size()) result.nvlink_reach.push_back(vm.nvlink_reach[p]);
    if (p < vm.profiles.size()) result.profiles.push_back(vm.profiles[p]);
    if (p < vm.shares.size()) result.shares.push_back(vm.shares[p]);
  }
  return result;
}

}  // namespace vgsim::vsphere
