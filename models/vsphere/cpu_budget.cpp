#include "models/vsphere/cpu_budget.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <utility>

#include "models/vsphere/numa_placement.hpp"

namespace vgsim::vsphere {
namespace {

using topology::Host;
using topology::LinkResourceIndex;
using topology::Topology;

/// Free time of `cores` cores of which `busy` are busy with GPUs, in picoseconds per second.
BytesPerSecond budget(double cores, double busy) {
  const double left = std::max(cores - busy, cores / 4);
  return BytesPerSecond{
      static_cast<std::int64_t>(left * static_cast<double>(kCorePicosecondsPerSecond))};
}

LinkResourceIndex add_cpu(Topology& topology, std::size_t host, std::string name,
                          BytesPerSecond capacity, std::string source) {
  return topology.add_resource(
      {std::move(name), topology::LinkKind::kCpu, capacity, 1.0, std::move(source), 1, host});
}

double vcpus_on(const std::vector<VirtualMachine>& vms, std::size_t host) {
  double all = 0;
  for (const VirtualMachine& vm : vms) {
    if (vm.host == host && vm.mode->is_virtual) {
      all += static_cast<double>(vm.settings.vcpus.value_or(0));
    }
  }
  return all;
}

/// Lets the VMs of a NUMA node share its cores where they have more vCPUs together.
void share_nodes(Topology& topology, const std::vector<HostInventory>& hosts,
                 std::vector<VirtualMachine>& vms, double busy_per_gpu, double second_thread) {
  std::map<std::pair<std::size_t, std::size_t>, std::vector<VirtualMachine*>> by_node;
  for (VirtualMachine& vm : vms) {
    if (vm.vcpus && vm.numa.cores && vm.numa.nodes.size() == 1) {
      by_node[{vm.host, vm.numa.nodes.front()}].push_back(&vm);
    }
  }
  for (const auto& [place, own] : by_node) {
    const auto& [host, node] = place;
    const auto& cores = hosts[host].numa_cores;
    double vcpus = 0;
    double busy = 0;
    for (const VirtualMachine* vm : own) {
      vcpus += static_cast<double>(*vm->settings.vcpus);
      busy += busy_per_gpu * static_cast<double>(vm->gpus.size());
    }
    if (own.size() < 2 || !cores || vcpus <= static_cast<double>(*cores)) continue;
    const double all = work_of_threads(vcpus, static_cast<double>(*cores), second_thread);
    const auto shared =
        add_cpu(topology, host, fmt::format("{}/cores of node {}", topology.hosts[host].name, node),
                budget(all, busy), "the scenario");
    for (VirtualMachine* vm : own) vm->node_cores = shared;
  }
}

}  // namespace

std::vector<std::string> add_cpu_budgets(Topology& topology,
                                         const std::vector<HostInventory>& hosts,
                                         std::vector<VirtualMachine>& vms,
                                         const std::vector<double>& neighbours, bool trains,
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
    const double all =
        std::max(static_cast<double>(cores),
                 work_of_threads(vcpus_on(vms, h) + neighbours[h], static_cast<double>(cores),
                                 parameters.number("second_thread_share")));
    host.cores = add_cpu(topology, h, host.name + "/cores", budget(all, busy),
                         known ? "the scenario" : parameters.describe("cores_per_socket"));
  }
  for (VirtualMachine& vm : vms) {
    if (!vm.mode->is_virtual || !vm.settings.vcpus) continue;
    const double busy = per_gpu * static_cast<double>(vm.gpus.size());
    const double cores = vm.numa.cores.value_or(static_cast<double>(*vm.settings.vcpus));
    vm.vcpus = add_cpu(topology, vm.host, vm.name + "/vCPUs", budget(cores, busy), "the scenario");
  }
  share_nodes(topology, hosts, vms, per_gpu, parameters.number("second_thread_share"));
  return assumptions;
}

}  // namespace vgsim::vsphere
