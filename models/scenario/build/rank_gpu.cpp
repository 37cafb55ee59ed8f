#include "models/scenario/build/rank_gpu.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "models/scenario/read/library.hpp"
#include "models/training/compute_noise.hpp"
#include "models/training/gpu_rates.hpp"
#include "models/vsphere/gpu_sharing.hpp"
#include "models/vsphere/numa_placement.hpp"
#include "topology/look_up.hpp"

namespace vgsim::scenario {

training::GpuPart part_of(const Library& library, const vsphere::GuestView& view, std::size_t gpu) {
  const vsphere::VirtualMachine& vm = view.vm();
  training::GpuPart part;
  if (!vsphere::sharing_of(vm, gpu).is_split) return part;
  part.memory_bound = library.parameters.number("memory_bound_share");
  part.unscaled = library.parameters.number("unscaled_share");
  const vsphere::GpuShare& share = vm.shares[gpu];
  const double lost = (1 - library.parameters.number("mig_neighbour_share")) * share.neighbours;
  part.compute = share.compute * (1 - lost);
  part.memory = share.memory * (1 - lost);
  // All slices together are at most the whole GPU.
  part.least = std::max(1.0, share.neighbours / share.slices) / (1 - lost);
  return part;
}

namespace {

/// The job's own factor on the launch interval and, unless the job states the interval, that of the
/// host's cores.
double launch_factor(const Placement& placement, const Library& library,
                     const vsphere::GuestView& view) {
  const training::TrainingJob& job = *placement.job.training;
  const auto& host = placement.cluster->topology.hosts[view.vm().host];
  const auto cpu = library.catalog->cpus.find(host.cpu_model);
  const bool knows = cpu != library.catalog->cpus.end() && cpu->second.single_thread;
  if (job.launch_interval || !knows) return job.launch_factor;
  return job.launch_factor * library.parameters.number("launch_interval_rating") /
         cpu->second.single_thread->value;
}

/// How much later kernels start because the process launches them from another socket: the command
/// crosses the link between the sockets.
SimTime launch_delay(const Placement& placement, const Library& library,
                     const vsphere::GuestView& view, std::size_t gpu) {
  const vsphere::VirtualMachine& vm = view.vm();
  const std::vector<std::size_t>& nodes = vm.numa.nodes;
  if (nodes.empty() || placement.cluster->idealised.zero_overhead) return SimTime{0};
  const topology::Topology& topology = placement.cluster->topology;
  const topology::Host& host = topology.hosts[vm.host];
  const std::size_t node = vsphere::node_of_device(topology, host, view.gpu(gpu));
  const bool has_node = std::find(nodes.begin(), nodes.end(), node) != nodes.end();
  const bool sees_node =
      vm.numa.guest_sees_nodes && vm.guest_topology != vsphere::GuestTopology::kFlat;
  if (has_node && (nodes.size() == 1 || sees_node)) return SimTime{0};
  const auto count = static_cast<double>(nodes.size());
  const double away = has_node ? (count - 1) / count : 1.0;
  return training::stretched(library.parameters.time("remote_launch_delay"), away);
}

}  // namespace

double memory_bandwidth_of(const Placement& placement, const Library& library,
                           const vsphere::GuestView& view, std::size_t gpu) {
  const topology::Node& node = placement.cluster->topology.node(view.gpu(gpu));
  const auto model = library.catalog->gpus.find(node.model);
  if (model == library.catalog->gpus.end()) return 0;
  return static_cast<double>(model->second.memory_bandwidth.value.count());
}

OffloadRates offload_rates(const Placement& placement, const Library& library,
                           const vsphere::GuestView& view, std::size_t gpu) {
  OffloadRates rates;
  const topology::Topology& topology = placement.cluster->topology;
  const auto model = library.catalog->gpus.find(topology.node(view.gpu(gpu)).model);
  if (model == library.catalog->gpus.end()) return rates;
  const auto link = library.catalog->pcie.find(model->second.pcie_generation);
  if (link != library.catalog->pcie.end()) {
    rates.copies = static_cast<double>(link->second.lane_rate.value.count()) *
                   static_cast<double>(model->second.pcie_lanes) *
                   link->second.payload_share.value * library.parameters.number("pcie_rate_factor");
    rates.source = link->second.lane_rate.source;
  }
  const topology::Host& host = topology.hosts[view.vm().host];
  const auto cpu = library.catalog->cpus.find(host.cpu_model);
  const std::size_t machines = placement.job.machines.size();
  if (cpu == library.catalog->cpus.end() || machines == 0) return rates;
  const auto ranks = static_cast<double>(placement.ranks().ranks()) / static_cast<double>(machines);
  rates.host_memory = static_cast<double>(cpu->second.memory_bandwidth.value.count()) *
                      cpu->second.memory_share.value *
                      static_cast<double>(std::max<std::size_t>(host.packages, 1)) /
                      std::max(ranks, 1.0);
  return rates;
}

training::ComputeRates rates_of(const Placement& placement, const Library& library,
                                const vsphere::GuestView& view, std::size_t gpu,
                                input::Diagnostics& diagnostics) {
  const topology::Node& node = placement.cluster->topology.node(view.gpu(gpu));
  const auto model = library.catalog->gpus.find(node.model);
  if (model == library.catalog->gpus.end()) {
    topology::report(diagnostics, placement.job.origin,
                     fmt::format("unknown GPU model of {}", node.name),
                     "\"gpus\": \"8 x a100-sxm4-40gb\" in the host");
    return {};
  }
  const auto rates =
      training::gpu_rates(*placement.job.training, model->second,
                          placement.cluster->idealised.ideal_computing, library.parameters);
  if (rates) {
    training::ComputeRates result = *rates;
    result.launch_interval =
        training::stretched(result.launch_interval, launch_factor(placement, library, view));
    result.launch_interval += launch_delay(placement, library, view, gpu);
    return result;
  }
  topology::report(diagnostics, placement.job.origin, rates.error().what, rates.error().expected);
  return {};
}

}  // namespace vgsim::scenario
