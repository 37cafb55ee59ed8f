#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/traces/operation.hpp"

namespace vgsim::traces {

/// A tensor that can be a parameter of the network.
struct ParameterUse {
  std::string name;  ///< "weight"
  TensorShape shape;
};

/// The work of a forward operation.
struct OperationWork {
  double flops = 0;       ///< a multiply-add counts two; of products only, as in networks
  double pair_flops = 0;  ///< of attention, proportional to the square of the length
  std::vector<ParameterUse> parameters;
  std::vector<TensorUse> kept;  ///< tensors kept for the backward pass
  bool layer = false;           ///< starts a layer: a product with a weight, or an embedding
};

/// Nothing for an unknown operation, or one without shapes; then its callees must be examined.
/// Known operations: convolutions, products of matrices (linear, addmm, mm, matmul, bmm, baddbmm),
/// attention (scaled_dot_product_attention), embeddings, norms, softmax, dropout and smooth
/// activations.
[[nodiscard]] std::optional<OperationWork> work_of(const Operation& operation);

/// Number of products in the backward pass of a product; 0 for other operations.
[[nodiscard]] double backward_flops_of(const Operation& operation);

}  // namespace vgsim::traces
