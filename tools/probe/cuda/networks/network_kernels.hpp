#pragma once

#include <cuda.h>

#include <cstdint>

#include "tools/probe/cuda/device_memory.hpp"
#include "tools/probe/cuda/kernel_launch.hpp"
#include "tools/probe/cuda/kernel_module.hpp"
#include "tools/probe/cuda/stream.hpp"

namespace vgsim::probe::cuda {

/// A layer norm or batch norm: its parameters with their gradients, and the mean and inverse
/// deviation of each row or channel from the forward pass, in fp32.
struct Norm {
  CUdeviceptr gamma = 0;
  CUdeviceptr beta = 0;
  CUdeviceptr gamma_gradient = 0;
  CUdeviceptr beta_gradient = 0;
  CUdeviceptr means = 0;
  CUdeviceptr scales = 0;
};

/// A tensor of rows, one per token or pixel.
struct Rows {
  std::int64_t rows = 0;
  std::int64_t columns = 0;  ///< at most NetworkKernels::kMostColumns
};

/// The state of an optimizer: fp32 numbers for each parameter.
struct OptimizedWeights {
  CUdeviceptr parameters = 0;
  CUdeviceptr momenta = 0;
  CUdeviceptr variances = 0;  ///< of Adam
  CUdeviceptr gradients = 0;  ///< in the network's format
  CUdeviceptr weights = 0;    ///< the same; not written if they are fp32
  std::int64_t count = 0;
};

/// A tensor of [batch, sequence, parts, heads, head size] elements.
struct HeadLayout {
  std::int64_t batch = 0;
  int sequence = 0;
  int parts = 0;
  int heads = 0;
  int head_size = 0;
};

/// The kernels of network_kernels.cu for one number format, queued in the stream of a training
/// step. Tensors are whole packs of 16 bytes. The stream's context must be current in all
/// calls.
class NetworkKernels {
 public:
  static constexpr std::int64_t kMostColumns = 8192;

  /// Throws DeviceError.
  NetworkKernels(const GpuPtr& gpu, const Stream& stream, Number number);
  NetworkKernels(const NetworkKernels&) = delete;
  NetworkKernels& operator=(const NetworkKernels&) = delete;
  ~NetworkKernels();

  [[nodiscard]] const Stream& stream() const { return stream_; }
  [[nodiscard]] Number number() const { return number_; }

  void add(CUdeviceptr a, CUdeviceptr b, CUdeviceptr sum, std::int64_t count) const;
  void gelu(CUdeviceptr x, CUdeviceptr y, std::int64_t count) const;
  void gelu_backward(CUdeviceptr x, CUdeviceptr gradients, std::int64_t count) const;
  void relu(CUdeviceptr x, std::int64_t count) const;
  void relu_backward(CUdeviceptr y, CUdeviceptr dy, CUdeviceptr dx, std::int64_t count) const;

  void adam(const OptimizedWeights& state, std::int64_t step) const;
  void sgd(const OptimizedWeights& state) const;

  /// On `rows` rows of causal scores, in place.
  void softmax(CUdeviceptr scores, float scale, std::int64_t rows, int sequence) const;
  void softmax_backward(CUdeviceptr probabilities, CUdeviceptr gradients, float scale,
                        std::int64_t rows, int sequence) const;

  /// To [parts, batch, heads, sequence, head size], and back.
  void split_heads(CUdeviceptr from, CUdeviceptr to, const HeadLayout& layout) const;
  void merge_heads(CUdeviceptr from, CUdeviceptr to, const HeadLayout& layout) const;

  void layer_norm(CUdeviceptr x, const Norm& norm, CUdeviceptr y, const Rows& size) const;
  /// dx = past + the gradient through the norm; and the gradients of its parameters.
  void layer_norm_backward(CUdeviceptr x, const Norm& norm, CUdeviceptr dy, CUdeviceptr past,
                           CUdeviceptr dx, const Rows& size) const;

  void batch_norm(CUdeviceptr x, const Norm& norm, CUdeviceptr y, const Rows& size) const;
  /// `dx` may be `dy`.
  void batch_norm_backward(CUdeviceptr x, const Norm& norm, CUdeviceptr dy, CUdeviceptr dx,
                           const Rows& size) const;

 private:
  [[nodiscard]] std::int64_t packs(std::int64_t count) const { return count / pack_; }
  [[nodiscard]] Extent pack_blocks(std::int64_t count) const;
  [[nodiscard]] Extent row_threads(std::int64_t columns) const;
  [[nodiscard]] Extent chunk_blocks(const Rows& size) const;
  void rearrange_heads(CUdeviceptr from, CUdeviceptr to, const HeadLayout& layout,
                       bool merge) const;
  void add_gradients(const Norm& norm, const Rows& size) const;

  const Stream& stream_;
  Number number_;
  std::int64_t pack_;  ///< elements per pack
  KernelModule module_;
  DeviceMemory chunks_;  ///< sums over chunks of rows
  DeviceMemory sums_;    ///< over all rows

  CUfunction add_ = module_.function("add");
  CUfunction gelu_ = module_.function("gelu");
  CUfunction gelu_backward_ = module_.function("gelu_backward");
  CUfunction relu_ = module_.function("relu");
  CUfunction relu_backward_ = module_.function("relu_backward");
  CUfunction adam_ = module_.function("adam");
  CUfunction sgd_ = module_.function("sgd");
  CUfunction softmax_ = module_.function("softmax");
  CUfunction softmax_backward_ = module_.function("softmax_backward");
  CUfunction rearrange_heads_ = module_.function("rearrange_heads");
  CUfunction layer_norm_ = module_.function("layer_norm");
  CUfunction layer_norm_sums_ = module_.function("layer_norm_sums");
  CUfunction layer_norm_backward_ = module_.function("layer_norm_backward");
  CUfunction batch_norm_sums_ = module_.function("batch_norm_sums");
  CUfunction batch_norm_statistics_ = module_.function("batch_norm_statistics");
  CUfunction batch_norm_ = module_.function("batch_norm");
  CUfunction batch_norm_backward_sums_ = module_.function("batch_norm_backward_sums");
  CUfunction batch_norm_backward_ = module_.function("batch_norm_backward");
  CUfunction norm_gradients_ = module_.function("norm_gradients");
};

}  // namespace vgsim::probe::cuda
