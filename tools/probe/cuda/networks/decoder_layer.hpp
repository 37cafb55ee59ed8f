#pragma once

#include <cstdint>

#include "tools/probe/cuda/matrix_product.hpp"
#include "tools/probe/cuda/networks/attention.hpp"
#include "tools/probe/cuda/networks/network_kernels.hpp"
#include "tools/probe/cuda/networks/parameters.hpp"
#include "tools/probe/cuda/networks/tensor_pool.hpp"

namespace vgsim::probe::cuda {

/// y = x W^T for `rows` rows of x, W of [out, in], and its two gradients.
class LinearLayer {
 public:
  struct Size {
    std::int64_t rows = 0;
    std::int64_t in = 0;
    std::int64_t out = 0;
  };

  /// Throws DeviceError.
  LinearLayer(const BlasPtr& blas, const Precision& precision, const Size& size);

  void forward(const Stream& stream, CUdeviceptr x, const Parameters::Tensor& w,
               CUdeviceptr y) const;
  /// The gradients of the input, into `dx`, and of the weights.
  void backward(const Stream& stream, CUdeviceptr x, const Parameters::Tensor& w, CUdeviceptr dy,
                CUdeviceptr dx) const;

 private:
  MatrixProduct forward_;
  MatrixProduct input_gradient_;
  MatrixProduct weight_gradient_;
};

/// The operations of a decoder layer for a batch, and its temporary tensors, shared by all
/// layers.
struct DecoderOperations {
  /// Throws DeviceError.
  DecoderOperations(const GpuPtr& gpu, const NetworkKernels& network, const Precision& precision,
                    std::int64_t batch, TensorPool& pool);

  const NetworkKernels& kernels;
  std::int64_t rows;  ///< tokens of the batch
  BlasPtr blas;
  HeadLayout three_parts;  ///< queries, keys and values
  HeadLayout one_part;
  Attention attention;
  LinearLayer projection;  ///< to queries, keys and values
  LinearLayer output;
  LinearLayer up;
  LinearLayer down;

  CUdeviceptr narrow;       ///< [tokens, hidden]
  CUdeviceptr other;        ///< the same
  CUdeviceptr past_middle;  ///< the gradient between attention and feed-forward, the same
  CUdeviceptr three;        ///< [tokens, 3 hidden]
  CUdeviceptr heads;        ///< the same, by heads
  CUdeviceptr wide;         ///< [tokens, feed-forward]
  CUdeviceptr scores;       ///< [batch, heads, sequence, sequence]
};

/// x + attention(norm(x)), then the same with the feed-forward network.
class DecoderLayer {
 public:
  /// Throws DeviceError.
  DecoderLayer(const DecoderOperations& operations, Parameters& parameters, TensorPool& pool);

  /// Parameters of one layer.
  [[nodiscard]] static std::int64_t parameters();

  /// Queues the layer for `x`, which must be kept until the backward pass. Returns its
  /// output.
  [[nodiscard]] CUdeviceptr forward(CUdeviceptr x);
  /// Queues the gradients. `dx` may be `dy`.
  void backward(CUdeviceptr dy, CUdeviceptr dx) const;

 private:
  [[nodiscard]] Attention::Heads parts(CUdeviceptr three) const;
  void feed_forward_backward(CUdeviceptr dy) const;

  const DecoderOperations& operations_;
  CUdeviceptr x_ = 0;
  CUdeviceptr normed_;         ///< input of the projection
  CUdeviceptr heads_;          ///< queries, keys and values
  CUdeviceptr probabilities_;  ///< of attention
  CUdeviceptr context_;        ///< input of the output projection
  CUdeviceptr middle_;         ///< between attention and feed-forward
  CUdeviceptr middle_normed_;
  CUdeviceptr up_;      ///< input of the GELU
  CUdeviceptr active_;  ///< its output
  CUdeviceptr y_;
  Norm norm_;
  Norm middle_norm_;
  Parameters::Tensor projection_;
  Parameters::Tensor output_;
  Parameters::Tensor up_weights_;
  Parameters::Tensor down_weights_;
};

}  // namespace vgsim::probe::cuda
