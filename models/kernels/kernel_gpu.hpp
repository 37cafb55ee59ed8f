#pragma once

#include <optional>
#include <string>

#include "models/calibration/parameters.hpp"
#include "topology/catalog/parts.hpp"

namespace vgsim::kernels {

/// What of a GPU decides how long its kernels take. Rates are a second's.
struct KernelGpu {
  std::string architecture;  ///< "ampere"; what constants of the models are called by
  double multiprocessors = 0;
  double peak = 0;             ///< operations of the tensor cores, in the type of the operands
  double memory_rate = 0;      ///< bytes to and from device memory
  double cache = 0;            ///< bytes of the second level
  double sustained_share = 0;  ///< of the peak, that its power allows a kernel that fills it
  /// A tile's result is written while the next one is computed; others do one after the other.
  bool overlaps = false;
};

/// Of a GPU for operands of that precision ("fp16", which is also bf16; "fp8"); nothing where the
/// catalogue does not have its peak or its multiprocessors. An architecture without a sustained
/// share of its own has one by the power that it may draw for each operation.
[[nodiscard]] std::optional<KernelGpu> kernel_gpu(const topology::GpuModel& gpu,
                                                  const std::string& precision,
                                                  const calibration::Parameters& parameters);

/// Of its peak for operands of that precision, that a GPU's power allows kernels that fill it.
[[nodiscard]] double sustained_share(const topology::GpuModel& gpu, const std::string& precision,
                                     const calibration::Parameters& parameters);

/// The word of the architecture that the kernels of a GPU are written for. Source: CUDA C++
/// Programming Guide, chapter Compute Capabilities; that of workstations shares neither tensor
/// cores nor kernels with that of data centres.
[[nodiscard]] std::string kernel_architecture(const topology::GpuModel& gpu);

}  // namespace vgsim::kernels
