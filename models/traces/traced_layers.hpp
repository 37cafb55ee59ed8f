#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "models/traces/traced_iteration.hpp"

namespace vgsim::traces {

struct TracedTensor {
  std::string name;
  double parameters = 0;
};

/// A product with a weight, and the operations up to the next one.
struct TracedLayer {
  std::string name;
  std::size_t first = 0;  ///< operation of the trace
  double flops = 0;
  double pair_flops = 0;
  double kept = 0;       ///< elements
  double kept_pair = 0;  ///< of these, proportional to the square of the length
  std::vector<TracedTensor> tensors;
};

/// The input of one pass.
struct Samples {
  std::int64_t batch = 1;
  std::int64_t tokens = 0;  ///< of a sample; 0: no tokens
};

/// The input of the first layer of a pass: embeddings read [batch, length] of indices, other layers
/// [batch, ...] or [batch, length, width].
[[nodiscard]] Samples samples_of(const TracedIteration& iteration);

struct TracedLayers {
  std::vector<TracedLayer> layers;   ///< in order of the forward pass
  std::size_t without_gradient = 0;  ///< weights without gradient that were read
  std::size_t unplaced = 0;          ///< gradients of tensors that no known operation reads
};

/// The layers of a pass with their tensors: those with recorded gradients or, if there are none,
/// the weights that were read.
[[nodiscard]] TracedLayers layers_of(const TracedIteration& iteration, const Samples& samples);

}  // namespace vgsim::traces
