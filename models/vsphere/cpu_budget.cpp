#include "models/vsphere/cpu_budget.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace vgsim::vsphere {
namespace {

using topology::Host;
using topology::LinkResourceIndex;
using topology::Topology;

/// Free time of `cores` cores of which `busy` are busy with GPUs, in picoseconds per second.
BytesPerSecond budget(std::int64_t cores, double busy) {
  const auto all = static_cast<double>(cores);
  const double left = std::max(all - busy, all / 4);
  return BytesPerSecond{
      static_cast<std::int64_t>(left * static_cast<double>(kCorePicosecondsPerSecond))};
}

LinkResourceIndex add_cpu(Topology& topology, std::size_t host, std::string name,
                          BytesPerSecond capacity, std::string source) {
  return topology.add_resource(
      {std::move(name), topology::LinkKind::kCpu, capacity, 1.0, std::move(source), 1, host});
}

}  // namespace

std::vector<std::string> add_cpu_budgets(Topology& topology,
                                         const std::vector<HostInventory>& hosts,
                                         std::vector<VirtualMachine>& vms, bool trains,
                                         const calibration::Parameters& parameters) {
  const double per_gpu = trains ? parameters.number("busy_cores_per_gpu") : 0.0;
  std::vector<std::string> assumptions;
  for (std::size_t h = 0; h < topology.hosts.size(); ++h) {
    Host& host = topology.hosts[h];
    const auto& known = hosts[h].numa_cores;
    const std::int64_t cores =
        known ? *known * static_cast<std::int64_t>(host.sockets.size())
              : parameters.count("cores_per_socket") *
                    static_cast<std::int64_t>(std::max<std::size_t>(host.packages, 1));
    assumptions.push_back(known ? std::string()
                                : fmt::format("cores not given, {} per socket",
                                              parameters.count("cores_per_socket")));
    const double busy = per_gpu * static_cast<double>(host.gpus.size());
    host.cores = add_cpu(topology, h, host.name + "/cores", budget(cores, busy),
                         known ? "the scenario" : parameters.describe("cores_per_socket"));
  }
  for (VirtualMachine& vm : vms) {
    if (!vm.mode->is_virtual || !vm.settings.vcpus) continue;
    const double busy = per_gpu * static_cast<double>(vm.gpus.size());
    vm.vcpus = add_cpu(topology, vm.host, vm.name + "/vCPUs", budget(*vm.settings.vcpus, busy),
                       "the scenario");
    const auto& node = hosts[vm.host].numa_cores;
    vm.spans_memory =
        node && *vm.settings.vcpus > *node && vm.guest_topology == GuestTopology::kFlat;
  }
  return assumptions;
}

}  // namespace vgsim::vsphere
