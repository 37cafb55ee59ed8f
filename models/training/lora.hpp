#pragma once

#include <cstdint>

#include "models/training/network.hpp"

namespace vgsim::training {

/// Fine-tuning with low-rank adapters: E. Hu et al., LoRA, 2021.
struct Lora {
  std::int64_t rank{};
  bool attention_only{};  ///< else adapters in the feed-forward part as well
};

/// Freezes the parameters of a transformer and adds an adapter to each matrix: from its input to
/// `rank` elements, and from there to its output. Queries, keys and values are one matrix, as in
/// Megatron-LM and in the reference of MLPerf. Adapters of experts are not modelled: in a mixture
/// of experts only attention has adapters.
[[nodiscard]] NetworkModel with_adapters(const NetworkModel& network, const Lora& lora);

}  // namespace vgsim::training
