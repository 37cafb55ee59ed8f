#include "models/training/lora.hpp"

#include <vector>

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

/// Leaves what the backward pass of frozen weights needs: gradients of their inputs do not need
/// the inputs, which are kept only for adapters that read them.
void keep_for_adapters(const Lora& lora, bool adapted, LayerGroup& layer) {
  using Use = LayerGroup::Kept::Use;
  std::erase_if(layer.kept, [&](const LayerGroup::Kept& each) {
    return each.use == Use::kMask || each.use == Use::kSeparateCast ||
           (each.use == Use::kProductInput && !adapted && !lora.keeps_inputs);
  });
  std::vector<LayerGroup::Kept> dropped;
  for (LayerGroup::Kept& each : layer.kept) {
    if (each.use == Use::kAttended) {
      if (adapted && lora.targets != Lora::Targets::kQueriesAndValues) {
        dropped.push_back({Use::kDroppedInput, each.elements, each.split});
      }
      each.use = Use::kAlways;
    }
    if (each.use != Use::kProductInput) continue;
    each.use = Use::kAdapterInput;
    if (!adapted) continue;
    // Frameworks apart from Megatron have an adapter for each matrix that reads it.
    const double readers = layer.part != LayerGroup::Part::kAttention         ? 1
                           : lora.targets == Lora::Targets::kQueriesAndValues ? 2
                                                                              : 3;
    dropped.push_back({Use::kDroppedInput, readers * each.elements, each.split});
  }
  if (lora.dropout) layer.kept.insert(layer.kept.end(), dropped.begin(), dropped.end());
}

}  // namespace

std::optional<double> bytes_of_frozen(Lora::Base base) {
  // A scale of 4 bytes for each block of 64 weights (QLoRA), which double quantization stores in
  // one byte; GPTQ: a scale and a zero point of 2.5 bytes for 128. In fp8 Hopper needs a transposed
  // copy for the backward pass (NVIDIA/TransformerEngine, issue 1261).
  switch (base) {
    case Lora::Base::kWeights:
      break;
    case Lora::Base::kFp8:
      return 2;
    case Lora::Base::kFp8Once:
      return 1;
    case Lora::Base::k8Bit:
      return 1 + 2.0 / 64;
    case Lora::Base::kNf4:
      return 0.5 + 4.0 / 64;
    case Lora::Base::kNf4Double:
      return 0.5 + 1.0 / 64 + 4.0 / (64 * 256);
    case Lora::Base::kInt4:
      return 0.5 + 2.5 / 128;
  }
  return std::nullopt;
}

NetworkModel with_adapters(const NetworkModel& network, const Lora& lora) {
  NetworkModel adapted = network;
  for (LayerGroup& layer : adapted.layers) {
    layer.frozen = layer.parameters();
    layer.tensors.clear();
    for (LayerGroup::Product& product : layer.products) product.trained = false;
    const bool attends = layer.part == LayerGroup::Part::kAttention;
    const bool dense = layer.part == LayerGroup::Part::kFeedForward && layer.experts == 0;
    const bool is_adapted = attends || (dense && lora.targets == Lora::Targets::kAll);
    keep_for_adapters(lora, is_adapted, layer);
    if (!is_adapted) continue;
    const Transformer& t = *network.transformer;
    if (lora.targets == Lora::Targets::kQueriesAndValues && !t.latent) {
      add_adapter(t.hidden, t.query_width(), lora.rank, layer);
      add_adapter(t.hidden, t.value_width(), lora.rank, layer);
      continue;
    }
    const std::vector<LayerGroup::Product> adapted_products = layer.products;
    for (const LayerGroup::Product& product : adapted_products) {
      add_adapter(product.in, product.out, lora.rank, layer);
    }
  }
  return adapted;
}

}  // namespace vgsim::training
