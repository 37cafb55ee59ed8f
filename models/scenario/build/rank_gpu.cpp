#include "models/scenario/build/rank_gpu.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "models/scenario/read/library.hpp"
#include "models/training/gpu_rates.hpp"
#include "models/vsphere/gpu_sharing.hpp"
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
  if (rates) return *rates;
  topology::report(diagnostics, placement.job.origin, rates.error().what, rates.error().expected);
  return {};
}

}  // namespace vgsim::scenario
