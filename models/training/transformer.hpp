#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/training/layer_group.hpp"

namespace vgsim::training {

/// Attention whose queries, keys and values are projected over narrow vectors (multi-head latent
/// attention). Source: DeepSeek-AI, DeepSeek-V2, 2024, section 2.1. Training expands them to all
/// heads.
struct LatentAttention {
  std::int64_t query_rank = 1;
  std::int64_t kv_rank = 1;
  /// elements of each query and key that are rotated, besides head_size; the heads share those of
  /// the keys
  std::int64_t rotated = 0;
  std::int64_t value_size = 1;  ///< elements of a value of one head
};

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
  std::int64_t expert_ffn = 0;      ///< width of an expert
  std::int64_t shared_experts = 0;  ///< that process all tokens, besides `experts`
  std::int64_t dense_layers = 0;    ///< first blocks, without experts and `ffn` wide
  /// Products of all experts of a rank run in one kernel, on tokens copied into their order.
  bool grouped_experts = false;
  std::optional<LatentAttention> latent;

  /// Elements of one token, over all heads.
  [[nodiscard]] std::int64_t query_width() const;
  [[nodiscard]] std::int64_t key_width() const;
  [[nodiscard]] std::int64_t value_width() const;
  [[nodiscard]] std::int64_t result_width() const;  ///< of attention
  /// Elements of one head in the two products of the scores, in the mean.
  [[nodiscard]] double mean_head_size() const;
};

/// The layer groups in forward order: the embedding; the attention and the feed-forward part of
/// each block; the output.
///
/// Forward operations count a multiply-add as two and attention over all pairs of tokens: 2 x
/// inputs x outputs for each token and product, and 4 x heads x mean head size for each pair of
/// tokens. Elements kept for the backward pass follow V. Korthikanti et al., Reducing Activation
/// Recomputation in Large Transformer Models, 2022, section 4 (34 bytes x tokens x hidden and 5 x
/// heads x tokens^2 for a block of 16-bit elements), with the actual width of the feed-forward
/// part.
[[nodiscard]] std::vector<LayerGroup> layer_groups(const Transformer& transformer);

}  // namespace vgsim::training
