#pragma once

#include <cstddef>
#include <cstdint>

#include "models/training/compute.hpp"
#include "sim/units.hpp"

namespace vgsim::calibration {
class Parameters;
}

namespace vgsim::training {

/// By how many standard deviations the largest of so many independent normal values is expected to
/// lie above their mean; 0 for one. Source: G. Blom, Statistical Estimates and Transformed
/// Beta-Variables, 1958: the quantile of (n - 0.375) / (n + 0.25); within 0.02 of the exact values.
[[nodiscard]] double expected_largest_deviation(std::size_t values);

/// How many times longer the slowest of a job's ranks is expected to compute in a step than their
/// mean. Micro-batches of a step vary each on its own, so that the step varies less than they do.
[[nodiscard]] double slowest_factor(std::size_t ranks, std::int64_t micro_batches,
                                    const calibration::Parameters& parameters);

/// Where a job's ranks are, for what their traffic takes of their multiprocessors.
struct TrafficPlace {
  bool one_host = true;
  int channels = 0;                  ///< of NCCL
  std::int64_t multiprocessors = 0;  ///< of a GPU; 0 where it is not known
};

/// What a pass takes longer, as a share of the time that traffic is on its way beside it: inside
/// one host the multiprocessors that NCCL's channels take, of those that there are; between hosts a
/// share that was measured.
[[nodiscard]] double overlap_slowdown(const TrafficPlace& place,
                                      const calibration::Parameters& parameters);

/// Both return what they add.
SimTime stretch_passes(ComputeTimes& times, double factor);
SimTime stretch_backward(ComputeTimes& times, double factor);

/// Of all parts of the backward pass.
[[nodiscard]] SimTime backward_of(const ComputeTimes& times);

/// Of the forward and backward pass.
[[nodiscard]] SimTime passes_of(const ComputeTimes& times);

}  // namespace vgsim::training
