#include "models/training/layer_group.hpp"

#include <numeric>

namespace vgsim::training {

double Activations::of(std::int64_t tokens) const {
  const auto t = static_cast<double>(tokens);
  return per_sample + (per_token + per_token_each) * t + per_token_pair * t * t;
}

Flops LayerGroup::forward(std::int64_t tokens) const {
  return flops_per_sample + flops_per_token * tokens + flops_per_token_pair * (tokens * tokens);
}

std::int64_t LayerGroup::parameters() const {
  return std::accumulate(tensors.begin(), tensors.end(), std::int64_t{0});
}

}  // namespace vgsim::training
