#pragma once

#include <string>
#include <vector>

#include "models/calibration/parameters.hpp"
#include "models/training/training_job.hpp"
#include "topology/catalog/parts.hpp"

namespace vgsim::training {

/// Kernels of one kind that a rank runs in an iteration: forward, backward and recomputed.
struct KernelUse {
  std::string what;  ///< "feed-forward, in"
  double kernels = 0;
  double seconds = 0;       ///< sum, each alone on the GPU
  double roof_seconds = 0;  ///< lower bound by the datasheet
};

/// The matrix products and the attention of a transformer, as models/kernels predicts them, in the
/// order of a block, for a rank of the mean pipeline stage. Empty for other networks, for 32-bit
/// products, and for a GPU without a number of multiprocessors in the catalogue.
[[nodiscard]] std::vector<KernelUse> kernel_uses(const TrainingJob& job,
                                                 const topology::GpuModel& gpu,
                                                 const calibration::Parameters& parameters);

}  // namespace vgsim::training
