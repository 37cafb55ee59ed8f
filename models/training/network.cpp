#include "models/training/network.hpp"

#include <algorithm>

namespace vgsim::training {

std::int64_t NetworkModel::parameters() const {
  std::int64_t sum = 0;
  for (const LayerGroup& layer : layers) sum += layer.parameters();
  return sum;
}

Flops NetworkModel::forward(std::int64_t tokens) const {
  Flops sum{};
  for (const LayerGroup& layer : layers) sum += layer.forward(tokens);
  return sum;
}

std::int64_t NetworkModel::operations_of_step() const {
  const bool frozen = std::any_of(layers.begin(), layers.end(),
                                  [](const LayerGroup& layer) { return layer.frozen > 0; });
  return frozen ? 2 : 3;
}

}  // namespace vgsim::training
