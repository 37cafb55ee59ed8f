#pragma once

#include <cstdint>

#include "models/training/compute.hpp"
#include "models/training/measured_step.hpp"

namespace vgsim::training {

/// The part of a GPU that a step runs on, and the step's use of it.
struct GpuPart {
  double compute = 1.0;       ///< share of the multiprocessors
  double memory = 1.0;        ///< share of the memory bandwidth
  double memory_bound = 0.5;  ///< share of the work
  double unscaled = 0.0;      ///< share of the work that does not slow down on a part of a GPU
  double least = 1.0;         ///< lower limit of slowdown()

  /// Time on this part divided by time on the whole GPU.
  [[nodiscard]] double slowdown() const;
};

/// Scales rates to a part of a GPU. Where the memory traffic of layers is counted, operations and
/// traffic are scaled separately; else the share of the peak scales both.
void scale(ComputeRates& rates, const GpuPart& part);

/// A step of `batch` samples on a part of a GPU, as a single pass (ComputeTimes::forward).
///
/// The host's launch time does not depend on the batch, the GPU's work grows with it, and the two
/// overlap: a step takes the square root of the sum of their squares. Both times are fitted to the
/// points (least squares of the relative errors of the squares). A single point is all GPU work, or
/// the share that `busy` states. At a measured batch, the residual of the fit is applied in
/// proportion.
[[nodiscard]] ComputeTimes step_on(const GpuPart& part, const MeasuredStep& measured,
                                   std::int64_t batch);

}  // namespace vgsim::training
