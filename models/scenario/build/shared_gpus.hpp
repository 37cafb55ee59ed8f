#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "models/calibration/parameters.hpp"
#include "models/scenario/build/cluster.hpp"
#include "models/training/step_graph.hpp"
#include "sim/engine.hpp"

namespace vgsim::scenario {

/// The GPUs of a job that are shared by time-sliced vGPUs.
struct SharedGpus {
  std::vector<SlicedDevice> devices;
  std::vector<std::optional<SlicingPlan::Slot>> slots;    ///< by rank
  std::vector<std::optional<training::LaunchGaps>> gaps;  ///< by rank; for ranks with a seat

  [[nodiscard]] bool any() const { return !devices.empty(); }
};

/// The location of a rank.
struct RankPlace {
  std::size_t machine = 0;   ///< index into Cluster::machines
  std::size_t gpu = 0;       ///< index into Host::gpus
  SimTime passes{};          ///< computing time per step on an unshared GPU
  SimTime held_up{};         ///< part of `passes` in which the GPU waits for its host
  std::int64_t kernels = 0;  ///< per step; 0 if they are not counted
};

/// The shared GPUs of these ranks. Tenants are the ranks and vGPUs of machines outside the job,
/// with load by their gpu_load; other machines of the job (`machines`) are idle. The first time
/// slice, and the start of the first load, are drawn from `seed` per GPU, since GPUs are not
/// synchronised; the other loads of a GPU follow at equal distances. For steps with very many
/// slices several are simulated as one, with the same share of the GPU and the same switching cost
/// per tenant.
[[nodiscard]] SharedGpus shared_gpus(const Cluster& cluster,
                                     const calibration::Parameters& parameters,
                                     const std::set<std::size_t>& machines,
                                     const std::vector<RankPlace>& ranks, std::uint64_t seed);

}  // namespace vgsim::scenario
