#pragma once

#include <string>
#include <vector>

#include "models/calibration/parameters.hpp"
#include "models/training/training_job.hpp"
#include "topology/catalog/parts.hpp"

namespace vgsim::training {

/// Kernels of one kind that a rank runs in an iteration, forward, backward, and computed again.
struct KernelUse {
  std::string what;  ///< "feed-forward, in"
  double kernels = 0;
  double seconds = 0;       ///< all of them, each alone on the GPU
  double roof_seconds = 0;  ///< the least that the datasheet allows
};

/// The matrix products and the attention of a transformer, as models/kernels has them, in the order
/// of a block; of a rank of the mean pipeline stage. Nothing for other networks, for products in 32
/// bits, and for a GPU whose multiprocessors the catalogue does not tell.
[[nodiscard]] std::vector<KernelUse> kernel_uses(const TrainingJob& job,
                                                 const topology::GpuModel& gpu,
                                                 const calibration::Parameters& parameters);

}  // namespace vgsim::training
