#pragma once

#include <cstddef>

#include "models/scenario/build/placement.hpp"
#include "models/training/compute.hpp"
#include "models/training/gpu_part.hpp"
#include "models/vsphere/guest_view.hpp"
#include "topology/input/diagnostics.hpp"

namespace vgsim::scenario {

struct Library;

/// Of a GPU of a view, what a MIG-backed vGPU has: loaded neighbours take a little of it.
[[nodiscard]] training::GpuPart part_of(const Library& library, const vsphere::GuestView& view,
                                        std::size_t gpu);

/// What a whole GPU of a view achieves on the job's network. Reports GPUs whose model is unknown,
/// and precisions that it lacks.
[[nodiscard]] training::ComputeRates rates_of(const Placement& placement, const Library& library,
                                              const vsphere::GuestView& view, std::size_t gpu,
                                              input::Diagnostics& diagnostics);

}  // namespace vgsim::scenario
