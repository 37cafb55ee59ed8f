#pragma once

#include <cstddef>
#include <string>

#include "models/scenario/build/placement.hpp"
#include "models/training/compute.hpp"
#include "models/training/gpu_part.hpp"
#include "models/vsphere/guest_view.hpp"
#include "topology/input/diagnostics.hpp"

namespace vgsim::scenario {

struct Library;

/// The share of a GPU that a MIG-backed vGPU has, slightly reduced by busy neighbours.
[[nodiscard]] training::GpuPart part_of(const Library& library, const vsphere::GuestView& view,
                                        std::size_t gpu);

/// The bandwidth of a whole GPU's memory, in bytes per second; 0 for an unknown model.
[[nodiscard]] double memory_bandwidth_of(const Placement& placement, const Library& library,
                                         const vsphere::GuestView& view, std::size_t gpu);

/// The compute rates of a whole GPU of a view on the job's network. Reports unknown GPU models and
/// unsupported precisions.
[[nodiscard]] training::ComputeRates rates_of(const Placement& placement, const Library& library,
                                              const vsphere::GuestView& view, std::size_t gpu,
                                              input::Diagnostics& diagnostics);

/// Rates between a rank's GPU and the memory of its host, for what a job offloads; bytes per
/// second.
struct OffloadRates {
  double copies = 0;   ///< of the GPU's PCIe link, in each direction
  std::string source;  ///< of that link's rate
  /// The rank's share of the memory of its host, in which the CPU steps the optimizer; 0: unknown.
  double host_memory = 0;
};
[[nodiscard]] OffloadRates offload_rates(const Placement& placement, const Library& library,
                                         const vsphere::GuestView& view, std::size_t gpu);

}  // namespace vgsim::scenario
