#include "models/training/lora.hpp"

namespace vgsim::training {
namespace {

void add_adapter(std::int64_t in, std::int64_t out, std::int64_t rank, LayerGroup& layer) {
  layer.tensors.push_back(in * rank);
  layer.tensors.push_back(rank * out);
  layer.flops_per_token += Flops{2 * rank * (in + out)};
  layer.products.push_back({in, rank});
  layer.products.push_back({rank, out});
  layer.kernels += 3;  // both products, and the sum
  layer.activations.per_token_each += static_cast<double>(rank);
}

}  // namespace

NetworkModel with_adapters(const NetworkModel& network, const Lora& lora) {
  NetworkModel adapted = network;
  const Transformer& t = *network.transformer;
  const std::int64_t queries = t.heads * t.head_size;
  const std::int64_t keys = t.kv_heads * t.head_size;
  for (LayerGroup& layer : adapted.layers) {
    layer.frozen = layer.parameters();
    layer.tensors.clear();
    for (LayerGroup::Product& product : layer.products) product.trained = false;
    if (layer.part == LayerGroup::Part::kAttention) {
      add_adapter(t.hidden, queries + 2 * keys, lora.rank, layer);
      add_adapter(queries, t.hidden, lora.rank, layer);
    }
    const bool dense = layer.part == LayerGroup::Part::kFeedForward && t.experts == 0;
    if (dense && !lora.attention_only) {
      add_adapter(t.hidden, t.gated ? 2 * t.ffn : t.ffn, lora.rank, layer);
      add_adapter(t.ffn, t.hidden, lora.rank, layer);
    }
  }
  return adapted;
}

}  // namespace vgsim::training
