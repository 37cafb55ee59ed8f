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

/// A number that nobody states, and where it could be.
struct NotStated {
  std::string what;
  std::string expected;  ///< empty where no file of the user's can say it
};

/// What a GPU achieves on a job's network: its peak in the job's precision times the share that the
/// user measured, or that the network's file gives. Without either, products of transformers take
/// as long as models/kernels says, other layers their operations at one share of the peak, and what
/// layers move in memory comes on top. Nothing slows the kernels of `ideal` computing down but
/// their operations. A job that computes nothing needs no peak: its first rate is 1.
[[nodiscard]] tl::expected<ComputeRates, NotStated> gpu_rates(
    const TrainingJob& job, const topology::GpuModel& gpu, bool ideal,
    const calibration::Parameters& parameters);

/// Of the operations that are counted for a job, the share that its GPUs multiply at least: minimal
/// filtering, F(2 x 2, 3 x 3), takes 2.25 times fewer for convolutions of 3 x 3 in fp32. Measured
/// steps of VGG-16 on P100s do 1.4 times the peak. Source: A. Lavin and S. Gray, Fast Algorithms
/// for Convolutional Neural Networks, CVPR 2016.
[[nodiscard]] double least_multiplied(const TrainingJob& job);

/// Whether training jobs were measured on a GPU, or on one of the same chip at other clocks: of its
/// compute capability, with about its peak for each multiprocessor.
[[nodiscard]] bool is_like_measured(const topology::GpuModel& gpu,
                                    const topology::Catalog& catalog);

/// What the forward pass moves to and from device memory beside its operations, for each byte of
/// activations that it keeps. Where nothing is said of a transformer's software, it is fused if it
/// has FlashAttention.
[[nodiscard]] double traffic_per_kept_byte(const TrainingJob& job,
                                           const calibration::Parameters& parameters);

}  // namespace vgsim::training
