#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "models/training/compute.hpp"
#include "models/training/training_job.hpp"
#include "topology/catalog/catalog.hpp"

namespace vgsim::training {

/// Layers of one kind in the roofline of a GPU: their forward passes in one micro-batch.
struct RooflinePoint {
  std::string layers;
  std::size_t count = 0;
  double operations = 0;
  double bytes = 0;             ///< to and from memory: weights and kept activations
  double operations_per_s = 0;  ///< as modelled

  [[nodiscard]] double intensity() const { return bytes > 0 ? operations / bytes : 0.0; }
};

struct Roofline {
  double peak_operations_per_s = 0;
  double memory_bytes_per_s = 0;
  std::vector<RooflinePoint> points;
};

/// The layers of a job's network in the roofline of its GPU: peak of operations and memory
/// bandwidth (S. Williams et al., Roofline, 2009). Layers with the same forward pass are one point.
/// `traffic_per_kept_byte`: bytes to and from memory for each byte of kept activations. Valid for
/// networks whose operations are counted.
[[nodiscard]] Roofline roofline(const TrainingJob& job, const topology::GpuModel& gpu,
                                const ComputeRates& rates, double traffic_per_kept_byte);

}  // namespace vgsim::training
