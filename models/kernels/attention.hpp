#pragma once

#include "models/calibration/parameters.hpp"
#include "models/kernels/kernel_gpu.hpp"

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
  double start = 0;     ///< launch and start of the kernels
  double share = 0;     ///< share of the peak that products inside a tile reach
  double tile = 0;      ///< time that a multiprocessor loses with each tile of queries
  double tail = 0;      ///< share of the longest tile's time for which the last tile delays the end
  double diagonal = 0;  ///< work of a block on the diagonal divided by that of a full block
  double load_rate = 0;  ///< into and out of one multiprocessor, bytes/s
  double keys_rate = 0;  ///< layout conversion of keys and values, bytes/s
};

/// The constants of the newest FlashAttention for the GPU's architecture. An architecture without
/// measurements gets the constants common to all. Source: parameters *attention_*, fitted to
/// measured times (tests/kernel-tables/attention_forward.csv). Valid for causal attention in bf16
/// on A100, H100 and L40S (median error 7 %, 90th percentile 29 %); extrapolated for other GPUs.
[[nodiscard]] AttentionConstants attention_constants(const KernelGpu& gpu,
                                                     const calibration::Parameters& parameters);

/// Predicted time of the forward pass on an idle GPU, in seconds. Up to 64 tokens count as one
/// block.
[[nodiscard]] double seconds_of(const Attention& attention, const KernelGpu& gpu,
                                const AttentionConstants& constants);

/// Operations of the forward pass; a multiply-add counts two, and half of the scores are masked.
[[nodiscard]] double operations_of(const Attention& attention);

}  // namespace vgsim::kernels
