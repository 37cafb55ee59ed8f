#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/scenario/build/placement.hpp"
#include "models/training/compute.hpp"
#include "sim/engine.hpp"

namespace vgsim::scenario {

struct Library;

/// The GPUs of a job that several time-sliced vGPUs use in turns.
struct SharedGpus {
  std::vector<TurnDevice> devices;
  std::vector<std::optional<TurnPlan::Seat>> seats;  ///< by rank

  [[nodiscard]] bool any() const { return !devices.empty(); }
};

/// Of these ranks, and of the vGPUs of VMs outside of the job beside them, which have work as their
/// gpu_load says; those of the job that are not among the ranks have none. Whose turn it is at the
/// beginning, and when loads begin, is drawn from `seed` for each GPU: nothing keeps the turns of
/// different GPUs in step. `compute`: by rank; its passes over their kernels are what is not cut.
[[nodiscard]] SharedGpus shared_gpus(const Placement& placement, const Library& library,
                                     const std::vector<RankClass>& ranks,
                                     const std::vector<training::ComputeTimes>& compute,
                                     std::uint64_t seed);

}  // namespace vgsim::scenario
