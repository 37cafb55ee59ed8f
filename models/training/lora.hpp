#pragma once

#include <cstdint>

#include "models/training/network.hpp"

namespace vgsim::training {

/// Fine-tuning of low-rank adapters: E. Hu et al., LoRA, 2021.
struct Lora {
  std::int64_t rank{};
  bool attention_alone{};  ///< else the feed-forward part has adapters too
};

/// A transformer whose parameters are frozen, with an adapter beside each matrix: from its input to
/// `rank` elements, and from there to its output. Queries, keys and values are one matrix, as in
/// Megatron-LM and in the reference of MLPerf. Adapters of experts are not known: a mixture has
/// them in its attention alone.
[[nodiscard]] NetworkModel with_adapters(const NetworkModel& network, const Lora& lora);

}  // namespace vgsim::training
