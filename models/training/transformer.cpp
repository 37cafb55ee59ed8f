#include "models/training/transformer.hpp"

#include <fmt/core.h>

#include <cmath>

namespace vgsim::training {
namespace {

/// Share of tokens that BERT predicts.
constexpr double kMasked = 0.15;

/// Builds the layer groups of one transformer.
class Writer {
  using Use = LayerGroup::Kept::Use;

 public:
  explicit Writer(const Transformer& t) : t_(t) {}

  std::vector<LayerGroup> write() && {
    embedding();
    for (std::int64_t i = 0; i < t_.layers; ++i) {
      attention(i);
      feed_forward(i);
    }
    output();
    return std::move(groups_);
  }

 private:
  LayerGroup& add(std::string name, LayerGroup::Part part, std::int64_t kernels) {
    LayerGroup& group = groups_.emplace_back();
    group.name = std::move(name);
    group.part = part;
    group.kernels = kernels;
    return group;
  }

  void norm(LayerGroup& group) const {
    group.tensors.push_back(t_.hidden);
    if (!t_.rms_norm) group.tensors.push_back(t_.hidden);
  }

  /// Adds the weights and operations of a matrix product for each token.
  void weights(LayerGroup& group, std::int64_t in, std::int64_t out) const {
    group.tensors.push_back(in * out);
    if (t_.bias) group.tensors.push_back(out);
    group.flops_per_token += Flops{2 * in * out};
  }

  void product(LayerGroup& group, std::int64_t in, std::int64_t out, bool sums = false) const {
    weights(group, in, out);
    group.products.push_back({in, out, sums});
  }

  void embedding() {
    LayerGroup& group = add("embedding", LayerGroup::Part::kEmbedding, 3);
    if (t_.vocabulary > 0) group.tensors.push_back(t_.vocabulary * t_.hidden);
    if (t_.vocabulary == 0) {
      group.tensors.push_back(t_.hidden);  // the class token
    }
    if (t_.patch_elements > 0) product(group, t_.patch_elements, t_.hidden);
    if (t_.learned_positions > 0) group.tensors.push_back(t_.learned_positions * t_.hidden);
    if (t_.token_types > 0) group.tensors.push_back(t_.token_types * t_.hidden);
    if (t_.embedding_norm) norm(group);
    group.activations.per_token_each = static_cast<double>(t_.hidden);
  }

  void attention(std::int64_t index) {
    LayerGroup& group =
        add(fmt::format("block {} attention", index), LayerGroup::Part::kAttention, 18);
    const std::int64_t queries = t_.heads * t_.head_size;
    const std::int64_t keys = t_.kv_heads * t_.head_size;
    norm(group);
    if (t_.latent) {
      latent_attention(group, *t_.latent);
      return;
    }
    for (const std::int64_t out : {queries, keys, keys}) weights(group, t_.hidden, out);
    group.products.push_back({t_.hidden, queries + 2 * keys});
    product(group, queries, t_.hidden, true);
    group.flops_per_token_pair = Flops{4 * queries};
    const auto h = static_cast<double>(t_.hidden);
    // Queries, keys, values and the heads' result; rotated queries and keys if positions are not
    // learned.
    const bool rotates = t_.learned_positions == 0 && t_.patch_elements == 0;
    group.activations.per_token =
        static_cast<double>((rotates ? 3 : 2) * queries + (rotates ? 3 : 2) * keys);
    group.activations.per_token_each = 2 * h + (t_.bias ? 0.5 * h : 0.0);
    group.block_input = h;
    group.norm_input = h;
    group.activations.per_token_pair = 2.5 * static_cast<double>(t_.heads);
    const auto q = static_cast<double>(queries);
    const auto k = static_cast<double>(keys);
    // Rotated queries and keys replace those before: the rotation needs only its angles.
    group.kept = {{Use::kNormInput, h, false},
                  {Use::kProductInput, h, false},
                  {Use::kSeparateCast, 2 * h, false},
                  {Use::kAlways, q + 2 * k, true},
                  {Use::kAttended, q, true}};
    if (t_.bias) group.kept.push_back({Use::kMask, h, false});
    group.second_split = 2 * q + k;  // queries, values, and the result of attention
    group.second_each = h;
    group.widest_input = h;
  }

  /// The narrow vectors are not split between tensor-parallel ranks.
  void latent_attention(LayerGroup& group, const LatentAttention& latent) const {
    constexpr std::int64_t kKernels = 7;  // three products, two norms, two copies into the heads
    group.kernels += kKernels;
    const std::int64_t of_keys = t_.heads * (t_.head_size + latent.value_size);
    const auto whole = [&](std::int64_t out) {
      product(group, t_.hidden, out);
      group.products.back().whole = true;
    };
    whole(latent.query_rank);
    group.tensors.push_back(latent.query_rank);  // norm
    product(group, latent.query_rank, t_.query_width());
    whole(latent.kv_rank + latent.rotated);
    group.tensors.push_back(latent.kv_rank);  // norm
    product(group, latent.kv_rank, of_keys);
    product(group, t_.result_width(), t_.hidden, true);
    group.flops_per_token_pair = Flops{2 * (t_.query_width() + t_.result_width())};
    const auto h = static_cast<double>(t_.hidden);
    const auto ranks = static_cast<double>(latent.query_rank + latent.kv_rank);
    // Queries and keys before and after rotation, values and the heads' result; the narrow vectors
    // before and after their norms.
    group.activations.per_token = static_cast<double>(2 * (t_.query_width() + t_.key_width()) +
                                                      t_.value_width() + t_.result_width());
    group.activations.per_token_each =
        2 * h + (t_.bias ? 0.5 * h : 0.0) + 2 * ranks + static_cast<double>(latent.rotated);
    group.block_input = h;
    group.norm_input = h + ranks;
    group.second_split =
        static_cast<double>(t_.query_width() + t_.value_width() + t_.result_width());
    group.second_each = h;
    group.activations.per_token_pair = 2.5 * static_cast<double>(t_.heads);
  }

  /// All matrices of a feed-forward part `width` wide.
  void dense_part(LayerGroup& group, std::int64_t width, std::int64_t matrices) const {
    for (std::int64_t m = 0; m + 1 < matrices; ++m) weights(group, t_.hidden, width);
    group.products.push_back({t_.hidden, (matrices - 1) * width});
    product(group, width, t_.hidden, true);
  }

  void feed_forward(std::int64_t index) {
    LayerGroup& group =
        add(fmt::format("block {} feed-forward", index), LayerGroup::Part::kFeedForward, 8);
    norm(group);
    const std::int64_t matrices = t_.gated ? 3 : 2;
    const auto h = static_cast<double>(t_.hidden);
    // The results of all matrices but the last, its input, and the gate's before multiplication.
    const bool dense = t_.experts == 0 || index < t_.dense_layers;
    const std::int64_t width = dense ? t_.ffn : t_.expert_ffn;
    const auto kept = static_cast<double>((t_.gated ? 4 : 2) * width);
    group.activations.per_token = kept;
    group.activations.per_token_each = 2 * h + (t_.bias ? 0.5 * h : 0.0);
    group.norm_input = h;
    keep_feed_forward(group, dense ? width : width * (t_.experts_per_token + t_.shared_experts));
    if (dense) {
      dense_part(group, width, matrices);
      return;
    }
    group.experts = t_.experts;
    group.experts_per_token = t_.experts_per_token;
    group.tensors.push_back(t_.hidden * t_.experts);  // the router
    group.flops_per_token = Flops{2 * t_.hidden * t_.experts};
    group.products.push_back({t_.hidden, (matrices - 1) * width, false, true});
    group.products.push_back({width, t_.hidden, true, true});
    for (LayerGroup::Product& product : group.products) product.grouped = t_.grouped_experts;
    for (std::int64_t e = 0; e < t_.experts; ++e) {
      for (std::int64_t m = 0; m < matrices; ++m) group.tensors.push_back(t_.hidden * width);
    }
    group.expert_parameters = t_.experts * matrices * t_.hidden * width;
    group.flops_per_token += Flops{2 * matrices * t_.hidden * width * t_.experts_per_token};
    const double copied = t_.grouped_experts ? h : 0.0;
    if (t_.grouped_experts) {
      const double copies = h * static_cast<double>(t_.experts_per_token);
      group.kept.push_back({Use::kProductInput, copies, true});
    }
    group.activations.per_token = (kept + copied) * static_cast<double>(t_.experts_per_token) +
                                  kept * static_cast<double>(t_.shared_experts);
    if (t_.shared_experts > 0) {
      constexpr std::int64_t kKernels = 4;  // two products, the activation, the sum
      group.kernels += kKernels;
      dense_part(group, t_.shared_experts * width, matrices);
    }
  }

  /// `width`: of all experts that process a token together.
  void keep_feed_forward(LayerGroup& group, std::int64_t width) const {
    const auto h = static_cast<double>(t_.hidden);
    const auto f = static_cast<double>(width);
    group.kept = {{Use::kNormInput, h, false},
                  {Use::kProductInput, h, false},
                  {Use::kAlways, t_.gated ? 2 * f : f, true}};
    if (t_.gated) group.kept.push_back({Use::kActivated, f, true});
    group.kept.push_back({Use::kProductInput, f, true});
    if (t_.bias) group.kept.push_back({Use::kMask, h, false});
    group.second_split = f;
    group.second_each = t_.gated ? h : 0;
    group.widest_input = h;
  }

  void output() {
    LayerGroup& group = add("output", LayerGroup::Part::kOutput, 4);
    if (t_.final_norm) {
      norm(group);
      group.norm_input = static_cast<double>(t_.hidden);
    }
    switch (t_.output) {
      case Transformer::Output::kLm:
        if (!t_.tied_output) group.tensors.push_back(t_.vocabulary * t_.hidden);
        group.flops_per_token = Flops{2 * t_.hidden * t_.vocabulary};
        group.products.push_back({t_.hidden, t_.vocabulary});
        group.activations.logits_per_token = static_cast<double>(t_.vocabulary);
        break;
      case Transformer::Output::kMlm:
        masked_language_model(group);
        break;
      case Transformer::Output::kClassifier:
        group.tensors.push_back(t_.hidden * t_.classes);
        group.tensors.push_back(t_.classes);
        group.flops_per_sample = Flops{2 * t_.hidden * t_.classes};
        break;
      case Transformer::Output::kNone:
        break;
    }
    group.activations.per_token_each = static_cast<double>(t_.hidden);
    group.widest_input = static_cast<double>(t_.hidden);
  }

  /// BERT's heads: pooler and next sentence; transform, norm and decoder (tied to the embedding) of
  /// the masked tokens, 15 % of all (J. Devlin et al., 2018). Logits and the copies of the loss
  /// count as about one logit for each token.
  void masked_language_model(LayerGroup& group) const {
    group.tensors.push_back(t_.hidden * t_.hidden);
    group.tensors.push_back(t_.hidden);
    group.tensors.push_back(t_.hidden * t_.hidden);
    group.tensors.push_back(t_.hidden);
    norm(group);
    group.tensors.push_back(t_.vocabulary);
    if (!t_.tied_output) group.tensors.push_back(t_.vocabulary * t_.hidden);
    group.tensors.push_back(2 * t_.hidden);
    group.tensors.push_back(2);
    for (const std::int64_t out : {t_.hidden, t_.vocabulary}) {
      LayerGroup::Product& made = group.products.emplace_back();
      made.in = t_.hidden;
      made.out = out;
      made.of_tokens = kMasked;
      group.flops_per_token +=
          Flops{std::llround(kMasked * static_cast<double>(2 * made.in * out))};
    }
    group.activations.per_token = static_cast<double>(t_.hidden + t_.vocabulary);
  }

  const Transformer& t_;
  std::vector<LayerGroup> groups_;
};

}  // namespace

std::int64_t Transformer::query_width() const {
  return heads * (head_size + (latent ? latent->rotated : 0));
}

std::int64_t Transformer::key_width() const {
  return latent ? query_width() : kv_heads * head_size;
}

std::int64_t Transformer::value_width() const {
  return latent ? result_width() : kv_heads * head_size;
}

std::int64_t Transformer::result_width() const {
  return heads * (latent ? latent->value_size : head_size);
}

double Transformer::mean_head_size() const {
  return static_cast<double>(query_width() + result_width()) / 2 / static_cast<double>(heads);
}

std::vector<LayerGroup> layer_groups(const Transformer& transformer) {
  return Writer(transformer).write();
}

}  // namespace vgsim::training
