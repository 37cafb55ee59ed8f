#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "models/calibration/parameters.hpp"
#include "topology/catalog/parts.hpp"

namespace vgsim::kernels {

/// The properties of a GPU that determine kernel times.
struct KernelGpu {
  std::string architecture;  ///< "ampere"; prefix of the constants' names
  /// Prefix of the constants of vLLM's conversion to 8 bits: the architecture, or
  /// "grace_blackwell".
  std::string quantizing;
  /// Clock of the multiprocessors, relative to the 1.8 GHz for which the constants are stated.
  double clock = 1;
  double multiprocessors = 0;
  double peak = 0;             ///< operations/s of the tensor cores for the type of the operands
  double memory_rate = 0;      ///< bytes/s to and from device memory
  double cache = 0;            ///< bytes of the second-level cache
  double sustained_share = 0;  ///< share of the peak that the power limit allows
  /// Whether kernels write the result of a tile while they compute the next one.
  bool overlaps = false;
};

/// The properties for operands of a precision ("fp16", which includes bf16; "fp8", "mxfp8",
/// "nvfp4"). Nothing if the catalogue lacks the peak or the number of multiprocessors. An
/// architecture without a measured sustained share gets one from its power limit divided by its
/// peak.
[[nodiscard]] std::optional<KernelGpu> kernel_gpu(const topology::GpuModel& gpu,
                                                  const std::string& precision,
                                                  const calibration::Parameters& parameters);

/// Bytes of an operand's element, scales of its blocks included: 4, 2, 1 or less.
[[nodiscard]] double operand_bytes(std::string_view precision);

/// The share of a GPU's peak for operands of that precision that its power limit allows in a kernel
/// that fills the GPU: 0 to 1.
[[nodiscard]] double sustained_share(const topology::GpuModel& gpu, const std::string& precision,
                                     const calibration::Parameters& parameters);

/// The name of the architecture that a GPU's kernels are written for. Source: CUDA C++ Programming
/// Guide, chapter Compute Capabilities. Workstation and data centre GPUs of one generation differ
/// in tensor cores and kernels.
[[nodiscard]] std::string kernel_architecture(const topology::GpuModel& gpu);

}  // namespace vgsim::kernels
