#pragma once

#include <cstdint>

#include "tools/probe/cuda/device_memory.hpp"
#include "tools/probe/cuda/networks/network_kernels.hpp"

namespace vgsim::probe::cuda {

/// The parameters of a network with their gradients, in sequence, and the optimizer's fp32
/// state: the parameters, the momenta and, for Adam, the variances.
class Parameters {
 public:
  enum class Optimizer { kAdam, kSgd };

  /// A tensor of parameters, and its gradient.
  struct Tensor {
    CUdeviceptr weight = 0;
    CUdeviceptr gradient = 0;
  };

  /// Throws DeviceError.
  Parameters(const GpuPtr& gpu, const NetworkKernels& kernels, Optimizer optimizer,
             std::int64_t count);

  /// The next tensor, with random values in offset +- scale.
  [[nodiscard]] Tensor add(std::int64_t count, float scale, float offset = 0);

  /// A norm of `columns` columns; `rows_kept` means and scales of its forward pass begin at `kept`.
  [[nodiscard]] Norm add_norm(std::int64_t columns, CUdeviceptr kept, std::int64_t rows_kept);

  /// Queues a step of the optimizer.
  void update();

 private:
  const NetworkKernels& kernels_;
  Optimizer optimizer_;
  bool separate_;  ///< the weights of the network differ from the fp32 parameters
  std::int64_t count_;
  std::int64_t added_ = 0;
  std::int64_t step_ = 0;
  DeviceMemory parameters_;
  DeviceMemory momenta_;
  DeviceMemory variances_;
  DeviceMemory gradients_;
  DeviceMemory weights_;
};

}  // namespace vgsim::probe::cuda
