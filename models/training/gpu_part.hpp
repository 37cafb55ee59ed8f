#pragma once

#include <cstdint>

#include "models/training/compute.hpp"
#include "models/training/measured_step.hpp"

namespace vgsim::training {

/// What part of a GPU a step has, and what it does with it.
struct GpuPart {
  double compute = 1.0;       ///< of the multiprocessors
  double memory = 1.0;        ///< of the memory's bandwidth
  double memory_bound = 0.5;  ///< of the work
  double unscaled = 0.0;      ///< of the work, that a part of the GPU does not lengthen
  double least = 1.0;         ///< times longer that the work takes at least

  /// How many times longer the work takes than on the whole GPU.
  [[nodiscard]] double slowdown() const;
};

/// What a part of a GPU achieves. Where the memory traffic of layers is counted, operations and
/// traffic each have their part; else the share of the peak stands for both.
void scale(ComputeRates& rates, const GpuPart& part);

/// A step of `batch` samples on a part of a GPU, as one piece of work (ComputeTimes::forward).
///
/// The host launches for a time that does not depend on the batch, the GPU works for a time that
/// grows with it, and the two overlap: a step takes the root of the sum of their squares. Both
/// times are fitted to the points (least squares of the relative errors of the squares); one point
/// alone is all work, or as much of it as `busy` says. Where the batch was measured, what is left
/// between fit and point is taken over in proportion.
[[nodiscard]] ComputeTimes step_on(const GpuPart& part, const MeasuredStep& measured,
                                   std::int64_t batch);

}  // namespace vgsim::training
