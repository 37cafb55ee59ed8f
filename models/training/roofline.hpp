#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "models/training/compute.hpp"
#include "models/training/training_job.hpp"
#include "topology/catalog/catalog.hpp"

namespace vgsim::training {

/// Layers of one kind under the roofs of a GPU: their forward passes in one micro-batch.
struct RooflinePoint {
  std::string layers;
  std::size_t count = 0;
  double operations = 0;
  double bytes = 0;             ///< weights, and activations that are kept, to and from memory
  double operations_per_s = 0;  ///< as modelled

  [[nodiscard]] double intensity() const { return bytes > 0 ? operations / bytes : 0.0; }
};

struct Roofline {
  double peak_operations_per_s = 0;
  double memory_bytes_per_s = 0;
  std::vector<RooflinePoint> points;
};

/// The layers of a job's network under the roofs of its GPU: the peak of its operations, and the
/// bandwidth of its memory (S. Williams et al., Roofline, 2009). Layers whose forward pass is the
/// same are one point. `traffic_per_kept_byte`: to and from memory for each byte of activations
/// that is kept. For networks whose operations are counted.
[[nodiscard]] Roofline roofline(const TrainingJob& job, const topology::GpuModel& gpu,
                                const ComputeRates& rates, double traffic_per_kept_byte);

}  // namespace vgsim::training
