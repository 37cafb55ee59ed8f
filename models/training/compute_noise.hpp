#pragma once

#include <cstddef>
#include <cstdint>

#include "models/training/compute.hpp"
#include "sim/units.hpp"

namespace vgsim::calibration {
class Parameters;
}

namespace vgsim::training {

/// The expected maximum of `values` independent standard normal values; 0 for one value. Source: G.
/// Blom, Statistical Estimates and Transformed Beta-Variables, 1958: the quantile of (n - 0.375) /
/// (n + 0.25); within 0.02 of the exact values.
[[nodiscard]] double expected_largest_deviation(std::size_t values);

/// The expected compute time of the slowest rank in a step divided by the mean of all ranks.
/// Micro-batches vary independently, so a step varies less than one of them. `batch_spread`: see
/// NetworkModel.
[[nodiscard]] double slowest_factor(std::size_t ranks, std::int64_t micro_batches,
                                    double batch_spread, const calibration::Parameters& parameters);

/// The location of a job's traffic, which decides how many multiprocessors it occupies.
struct TrafficPlace {
  bool one_host = true;
  int channels = 0;                  ///< of NCCL
  std::int64_t multiprocessors = 0;  ///< of a GPU; 0 if unknown
};

/// The slowdown of a pass, as a share of the time during which traffic overlaps it. Inside one
/// host: the multiprocessors that NCCL's channels occupy, divided by all of the GPU. Between hosts:
/// a measured share.
[[nodiscard]] double overlap_slowdown(const TrafficPlace& place,
                                      const calibration::Parameters& parameters);

/// Both return the time that they add.
SimTime stretch_passes(ComputeTimes& times, double factor);
SimTime stretch_backward(ComputeTimes& times, double factor);

/// The sum over all parts of the backward pass.
[[nodiscard]] SimTime backward_of(const ComputeTimes& times);

/// The sum of the forward and backward pass.
[[nodiscard]] SimTime passes_of(const ComputeTimes& times);

}  // namespace vgsim::training
