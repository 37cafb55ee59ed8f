#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/training/network.hpp"
#include "models/training/parallelism.hpp"
#include "sim/units.hpp"

namespace vgsim::training {

/// Bytes that training keeps of each parameter, and of each element of activations.
struct StateBytes {
  double weight = 2;  ///< in which the passes compute
  double gradient = 4;
  double optimizer = 12;  ///< moments, and the weight in 32 bits where passes compute in 16
  double activation = 2;
};

/// Parameters that one rank holds, unless they are sharded: those of experts, which fewer
/// data-parallel ranks have in common, apart.
struct Held {
  double shared = 0;
  double experts = 0;
  double frozen = 0;  ///< weights alone: no gradients, no optimizer states

  [[nodiscard]] double all() const { return shared + experts; }
  Held& operator+=(const Held& other);
};

/// Of a layer group.
[[nodiscard]] Held held_by_rank(const LayerGroup& layer, const Parallelism& parallelism);

/// One line of what fills a GPU's memory.
struct MemoryPart {
  std::string what;
  double bytes = 0;
};

/// What one rank of a stage keeps, at the peak of an iteration: weights, gradients and optimizer
/// states of its layers, as far as they are not sharded; activations of the micro-batches that are
/// in flight, and of the block that is being computed again; logits and other large buffers are
/// among the activations of their layers. `reserve` is what framework, libraries and communicators
/// take.
///
/// Sources: ZeRO (S. Rajbhandari et al., 2020) for states; V. Korthikanti et al., 2022, for
/// activations under tensor, sequence and pipeline parallelism and recomputation.
///
/// `layers` are the groups of that stage, all chunks together; `stage` counts from 0.
[[nodiscard]] std::vector<MemoryPart> memory_of(const std::vector<const LayerGroup*>& layers,
                                                const Parallelism& parallelism, std::size_t stage,
                                                std::int64_t tokens, const StateBytes& state,
                                                double reserve);

[[nodiscard]] double total(const std::vector<MemoryPart>& parts);

}  // namespace vgsim::training
