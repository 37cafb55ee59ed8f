#pragma once

#include <cstddef>
#include <string>

#include "models/scenario/build/placement.hpp"
#include "models/training/compute.hpp"
#include "topology/input/diagnostics.hpp"

namespace vgsim::scenario {

/// The parameter that says what share of its peak a GPU reaches in matrix products.
[[nodiscard]] std::string matrix_share_of(const topology::GpuModel& gpu);

/// What a GPU of a view achieves on the job's network: its peak in the job's precision times the
/// share that the user measured, or that the network's file gives; for transformers without either
/// what matrix products reach; and the rate of its memory. Where nothing `computes` the first is 1.
/// Reports GPUs and precisions without a peak or a share.
[[nodiscard]] training::ComputeRates gpu_rates(const Placement& placement, const Library& library,
                                               const vsphere::GuestView& view, std::size_t gpu,
                                               bool computes, input::Diagnostics& diagnostics);

}  // namespace vgsim::scenario
