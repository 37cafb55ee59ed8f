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

/// The GPUs of a job that several time-sliced vGPUs use in turns.
struct SharedGpus {
  std::vector<TurnDevice> devices;
  std::vector<std::optional<TurnPlan::Seat>> seats;     ///< by rank
  std::vector<std::optional<training::TurnGaps>> gaps;  ///< by rank; of those with a seat

  [[nodiscard]] bool any() const { return !devices.empty(); }
};

/// A rank of the job, where it is.
struct RankPlace {
  std::size_t machine = 0;   ///< index into Cluster::machines
  std::size_t gpu = 0;       ///< index into Host::gpus
  SimTime passes{};          ///< that it computes in a step, on a GPU of its own
  SimTime held_up{};         ///< of these, that the GPU waits for its host
  std::int64_t kernels = 0;  ///< of a step; 0 where they are not counted
};

/// Of these ranks, and of the vGPUs of machines outside of the job beside them, which have work as
/// their gpu_load says; those of the job (`machines`) that are not among the ranks have none. Whose
/// turn it is at the beginning, and when the first of its loads begins, is drawn from `seed` for
/// each GPU: nothing keeps the turns of different GPUs in step. The other loads of a GPU follow at
/// equal distances. Slices of steps that take very many are played
/// several at once: what each tenant gets of the GPU, and what switching takes of it, stay the
/// same.
[[nodiscard]] SharedGpus shared_gpus(const Cluster& cluster,
                                     const calibration::Parameters& parameters,
                                     const std::set<std::size_t>& machines,
                                     const std::vector<RankPlace>& ranks, std::uint64_t seed);

}  // namespace vgsim::scenario
