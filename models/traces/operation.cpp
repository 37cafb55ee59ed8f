#include "models/traces/operation.hpp"

#include <algorithm>

namespace vgsim::traces {

double elements(const TensorShape& shape) {
  constexpr double kMost = 9'007'199'254'740'992.0;
  double product = 1;
  for (const std::int64_t extent : shape) {
    product *= static_cast<double>(std::max<std::int64_t>(extent, 0));
  }
  return std::min(product, kMost);
}

bool can_be(const TensorShape& shape) {
  constexpr double kMost = 1e13;
  return elements(shape) >= 1 && elements(shape) <= kMost;
}

}  // namespace vgsim::traces
