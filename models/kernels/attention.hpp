#pragma once

#include "models/calibration/parameters.hpp"
#include "models/kernels/kernel_gpu.hpp"

namespace vgsim::kernels {

/// Causal attention of sequences to themselves, forward, by FlashAttention: 16-bit elements.
struct Attention {
  double sequences = 0;
  double tokens = 0;  ///< of a sequence
  double heads = 0;
  double kv_heads = 0;
  double head_size = 0;
};

/// The constants of the model on one GPU. Times are in seconds.
struct AttentionConstants {
  double start = 0;      ///< of the kernels
  double share = 0;      ///< of the peak, that products inside of a tile reach
  double tile = 0;       ///< what a multiprocessor loses with each tile of queries
  double tail = 0;       ///< of its longest tile's time, that the last one keeps all waiting
  double diagonal = 0;   ///< of the work of a full block, that one on the diagonal takes
  double load_rate = 0;  ///< bytes a second into and out of one multiprocessor
  double keys_rate = 0;  ///< bytes a second at which keys and values are laid out
};

/// Those of the newest FlashAttention that is written for the GPU; of an architecture that was not
/// measured those of all.
[[nodiscard]] AttentionConstants attention_constants(const KernelGpu& gpu,
                                                     const calibration::Parameters& parameters);

[[nodiscard]] double seconds_of(const Attention& attention, const KernelGpu& gpu,
                                const AttentionConstants& constants);

/// Multiply and add count two; half of the scores are masked.
[[nodiscard]] double operations_of(const Attention& attention);

}  // namespace vgsim::kernels
