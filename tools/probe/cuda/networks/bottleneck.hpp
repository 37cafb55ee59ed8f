#pragma once

#include <array>
#include <cstdint>

#include "tools/probe/cuda/networks/convolution.hpp"
#include "tools/probe/cuda/networks/network_kernels.hpp"
#include "tools/probe/cuda/networks/parameters.hpp"
#include "tools/probe/cuda/networks/tensor_pool.hpp"

namespace vgsim::probe::cuda {

/// The operations of a bottleneck block for a batch, and its temporary tensors, shared by all
/// blocks.
struct BottleneckOperations {
  /// Throws DeviceError.
  BottleneckOperations(const GpuPtr& gpu, const NetworkKernels& network, Math math,
                       std::int64_t batch, TensorPool& pool);

  const NetworkKernels& kernels;
  std::int64_t rows;  ///< pixels of all images
  Dnn dnn;
  Convolution reduce;
  Convolution inner;
  Convolution expand;

  CUdeviceptr branch;          ///< [pixels, channels]: output of the last norm, and its gradient
  CUdeviceptr past;            ///< gradient of the skip connection, of the same size
  CUdeviceptr inner_gradient;  ///< [pixels, inner channels]
  CUdeviceptr other_gradient;  ///< of the same size
};

/// relu(x + norm(expand(relu(norm(inner(relu(norm(reduce(x)))))))))
class Bottleneck {
 public:
  /// Throws DeviceError.
  Bottleneck(const BottleneckOperations& operations, Parameters& parameters, TensorPool& pool);

  /// Parameters of one block.
  [[nodiscard]] static std::int64_t parameters();

  /// Queues the block for `x`, which must be kept until the backward pass. Returns its
  /// output.
  [[nodiscard]] CUdeviceptr forward(CUdeviceptr x);
  /// Queues the gradients. `dx` may be `dy`.
  void backward(CUdeviceptr dy, CUdeviceptr dx) const;

 private:
  /// A convolution and its norm.
  struct Stage {
    Parameters::Tensor weights;
    Norm norm;
    CUdeviceptr convolved = 0;  ///< input of the norm
    CUdeviceptr active = 0;     ///< output of the ReLU
  };

  [[nodiscard]] Stage stage(Parameters& parameters, TensorPool& pool, std::int64_t weights,
                            std::int64_t channels) const;

  const BottleneckOperations& operations_;
  CUdeviceptr x_ = 0;
  Stage reduce_;
  Stage inner_;
  Stage expand_;
};

}  // namespace vgsim::probe::cuda
