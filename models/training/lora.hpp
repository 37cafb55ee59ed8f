#pragma once

#include <cstdint>
#include <optional>

#include "models/training/network.hpp"

namespace vgsim::training {

/// Fine-tuning with low-rank adapters: E. Hu et al., LoRA, 2021.
struct Lora {
  enum class Targets : std::uint8_t {
    kQueriesAndValues,
    kAttention,  ///< queries, keys, values and the result
    kAll,        ///< and the feed-forward part
  };
  /// The type that frozen matrices of blocks are stored in.
  enum class Base : std::uint8_t { kWeights, kFp8, kFp8Once, k8Bit, kNf4, kNf4Double, kInt4 };

  std::int64_t rank{};
  Targets targets = Targets::kAttention;
  Base base = Base::kWeights;
  bool keeps_inputs = false;  ///< frozen products keep their inputs for the backward pass, too
  bool dropout = false;       ///< an adapter keeps a copy of its input after dropout
};

/// Bytes of a frozen weight with its scales; nothing: those of other weights.
[[nodiscard]] std::optional<double> bytes_of_frozen(Lora::Base base);

/// Freezes the parameters of a transformer and adds an adapter to each matrix: from its input to
/// `rank` elements, and from there to its output. Queries, keys and values are one matrix, as in
/// Megatron-LM and in the reference of MLPerf. Adapters of experts are not modelled: in a
/// block with experts only attention has adapters.
[[nodiscard]] NetworkModel with_adapters(const NetworkModel& network, const Lora& lora);

}  // namespace vgsim::training
