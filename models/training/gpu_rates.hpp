#pragma once

#include <string>
#include <tl/expected.hpp>

#include "models/training/compute.hpp"
#include "models/training/training_job.hpp"
#include "topology/catalog/catalog.hpp"

namespace vgsim::calibration {
class Parameters;
}

namespace vgsim::training {

/// A required figure that neither the scenario nor the catalogue states.
struct MissingFigure {
  std::string what;
  std::string expected;  ///< where to state it; empty if no file of the user can
};

/// The rates that a GPU achieves on a job's network: its peak in the job's precision times the
/// share that the user measured or that the network's file states. Without either, products of
/// transformers take the times of models/kernels, other layers compute at one share of the peak,
/// and memory traffic of layers is added. With `ideal`, only operations take time. A job that
/// computes nothing needs no peak: its first rate is 1.
[[nodiscard]] tl::expected<ComputeRates, MissingFigure> gpu_rates(
    const TrainingJob& job, const topology::GpuModel& gpu, bool ideal,
    const calibration::Parameters& parameters);

/// The smallest share of a job's counted operations that its GPUs multiply. Minimal filtering, F(2
/// x 2, 3 x 3), needs 2.25 times fewer multiplications for 3 x 3 convolutions in fp32; measured
/// steps of VGG-16 on P100 GPUs run at 1.4 times the peak. Source: A. Lavin and S. Gray, Fast
/// Algorithms for Convolutional Neural Networks, CVPR 2016.
[[nodiscard]] double least_multiplied(const TrainingJob& job);

/// Whether training jobs were measured on this GPU, or on a GPU with the same compute capability
/// and a similar peak for each multiprocessor.
[[nodiscard]] bool is_like_measured(const topology::GpuModel& gpu,
                                    const topology::Catalog& catalog);

/// Bytes that the forward pass moves to and from device memory, beyond its operations, divided by
/// the bytes of activations that it keeps (dimensionless, at least 0). The value is the parameter
/// traffic_per_kept_byte (2, 1.5 to 3), or unfused_traffic_per_kept_byte (4.4) of transformers
/// without fused kernels; both are fitted to measured training jobs. A transformer counts as fused
/// if the job states so, or if it uses FlashAttention and does not state it.
[[nodiscard]] double traffic_per_kept_byte(const TrainingJob& job,
                                           const calibration::Parameters& parameters);

}  // namespace vgsim::training
