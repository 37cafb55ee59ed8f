#pragma once

#include <cstddef>

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

}  // namespace vgsim::scenario
