#pragma once

#include "models/calibration/parameters.hpp"
#include "models/kernels/kernel_gpu.hpp"
#include "models/kernels/matrix_product.hpp"

namespace vgsim::kernels {

/// Causal self-attention in the forward pass with FlashAttention and 16-bit elements.
struct Attention {
  double sequences = 0;
  double tokens = 0;  ///< of a sequence
  double heads = 0;
  double kv_heads = 0;
  double head_size = 0;
};

/// Constants of the model on one GPU. Times are in seconds, shares without unit.
struct AttentionConstants {
  double start = 0;  ///< launch and start of the kernels
  double share = 0;  ///< share of the peak that products inside a tile reach at head size 128
  double tile = 0;   ///< time that a multiprocessor loses with each tile of queries
  double tail = 0;   ///< share of the longest tile's time for which the last tile delays the end
  double exponentials = 0;  ///< share of a block's time at head size 128 that no head size changes
  double rows = 0;          ///< queries of a tile
  double rows_of_large_heads = 0;  ///< the same of heads with more than 128 elements
  double packed_tokens = 0;  ///< up to this number, queries of heads with the same keys share a tile
  bool stores_keys = false;  ///< keys and values are copied to vLLM's cache first
  ProductConstants memory;   ///< rates of memory and of its cache
};

/// The constants of vLLM's newest kernel for the GPU's architecture: FlashAttention 2 before
/// Hopper, FlashAttention 3 on Hopper, FlashInfer on Blackwell. An architecture without
/// measurements gets the constants common to all. Source: parameters *attention_*, fitted to
/// measured times (tests/kernel-tables/attention_forward.csv); rows of a tile and packing are those
/// of the kernels' source. Valid for causal attention in bf16 on A100, H100, L40S and B200 (median
/// error 8 %, 90th percentile 26 %); extrapolated for other GPUs and for heads below 128.
[[nodiscard]] AttentionConstants attention_constants(const KernelGpu& gpu,
                                                     const calibration::Parameters& parameters);

/// Predicted time of the forward pass on an idle GPU, in seconds.
[[nodiscard]] double seconds_of(const Attention& attention, const KernelGpu& gpu,
                                const AttentionConstants& constants);

/// Operations of the forward pass; a multiply-add counts two, and half of the scores are masked.
[[nodiscard]] double operations_of(const Attention& attention);

}  // namespace vgsim::kernels
