#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/training/layer_group.hpp"

namespace vgsim::training {

/// A transformer described by its hyper-parameters.
struct Transformer {
  enum class Output : std::uint8_t { kLm, kMlm, kClassifier, kNone };

  std::int64_t layers = 1;
  std::int64_t hidden = 1;
  std::int64_t heads = 1;
  std::int64_t kv_heads = 1;
  std::int64_t head_size = 1;
  std::int64_t ffn = 1;
  bool gated = false;           ///< SwiGLU: three matrices instead of two
  std::int64_t vocabulary = 0;  ///< tokens; 0: a projection of patches instead
  std::int64_t patch_elements = 0;
  std::int64_t learned_positions = 0;
  std::int64_t token_types = 0;
  bool tied_output = false;
  Output output = Output::kLm;
  std::int64_t classes = 0;
  bool bias = true;
  bool rms_norm = false;  ///< a weight without bias
  bool final_norm = true;
  bool embedding_norm = false;
  bool causal = true;
  std::int64_t experts = 0;  ///< 0: a dense feed-forward part
  std::int64_t experts_per_token = 0;
};

/// The layer groups in forward order: the embedding; the attention and the feed-forward part of
/// each block; the output.
///
/// Forward operations count a multiply-add as two and attention over all pairs of tokens: 2 x
/// inputs x outputs for each token and product, and 4 x heads x head size for each pair of tokens.
/// Elements kept for the backward pass follow V. Korthikanti et al., Reducing Activation
/// Recomputation in Large Transformer Models, 2022, section 4 (34 bytes x tokens x hidden and 5 x
/// heads x tokens^2 for a block of 16-bit elements), with the actual width of the feed-forward
/// part.
[[nodiscard]] std::vector<LayerGroup> layer_groups(const Transformer& transformer);

}  // namespace vgsim::training
