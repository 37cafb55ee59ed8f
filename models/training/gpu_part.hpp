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
  double bandwidth = 0.0;     ///< of the whole GPU's memory, bytes/s; 0: unknown

  /// Time on this part divided by time on the whole GPU, of kernels that fill it.
  [[nodiscard]] double slowdown() const;
  /// The same for kernels that do not. One that fills the share u of the GPU runs max(1, u / c)
  /// times as long on a share c = 1 / slowdown(); with any u equally likely, the mean is
  /// (1 / c + c) / 2.
  [[nodiscard]] double slowdown_of_small() const;
};

/// Scales rates to a part of a GPU. Where the memory traffic of layers is counted, operations and
/// traffic are scaled separately; else the share of the peak scales both.
void scale(ComputeRates& rates, const GpuPart& part);

/// A step of `batch` samples on a part of a GPU, as a single pass (ComputeTimes::forward).
///
/// A step consists of time of the host, of kernels that do not fill the GPU, and of kernels that
/// do, whose time grows with the batch. Those of the GPU slow down, each in its way; small kernels
/// at least by what the reading of weights takes longer with a share of the memory bandwidth. Host
/// and GPU overlap: a step takes the p-th root of the sum of the p-th powers of their times, with p
/// = 2, or 1 if they alternate. With three or more batches and unknown busy shares, p is the one
/// of 1, 2, 4 and 8 that fits best.
///
/// Where the busy shares were measured, they separate host and GPU, and the part of the busy time
/// that does not grow with the batch is that of small kernels. Otherwise all time that does not
/// grow counts as the host's (least squares of the relative errors of the powers). A single point
/// is all work of kernels that fill the GPU, or the busy share of it. At a measured batch, the
/// residual of the fit is applied in proportion.
[[nodiscard]] ComputeTimes step_on(const GpuPart& part, const MeasuredStep& measured,
                                   std::int64_t batch);

}  // namespace vgsim::training
