#pragma once

#include <cstdint>

#include "tools/probe/cuda/matrix_product.hpp"
#include "tools/probe/cuda/networks/network_kernels.hpp"

namespace vgsim::probe::cuda {

/// Causal attention of all heads, with the whole matrices of scores in memory.
class Attention {
 public:
  /// Queries, keys and values, or their gradients, each of [batch, heads, sequence, head size].
  struct Heads {
    CUdeviceptr queries = 0;
    CUdeviceptr keys = 0;
    CUdeviceptr values = 0;
  };

  /// Throws DeviceError.
  Attention(const BlasPtr& blas, const Precision& precision, const NetworkKernels& kernels,
            const HeadLayout& layout);

  /// `probabilities` of [batch, heads, sequence, sequence] are kept for the backward pass.
  void forward(const Heads& heads, CUdeviceptr probabilities, CUdeviceptr context) const;
  /// `scores` is overwritten by the gradients of the scores.
  void backward(const Heads& heads, CUdeviceptr probabilities, CUdeviceptr context_gradient,
                CUdeviceptr scores, const Heads& gradients) const;

 private:
  const NetworkKernels& kernels_;
  std::int64_t rows_;
  int sequence_;
  float scale_;
  MatrixProduct scores_;
  MatrixProduct weighted_;    ///< rows of a matrix of scores with the rows of the other operand
  MatrixProduct transposed_;  ///< columns of a matrix of scores with them
};

}  // namespace vgsim::probe::cuda
