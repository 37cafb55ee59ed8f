#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/traces/operation.hpp"

namespace vgsim::traces {

/// A tensor that may be a parameter of the network.
struct ParameterUse {
  std::string name;  ///< "weight"
  TensorShape shape;
};

/// What an operation of the forward pass is to a network.
struct OperationWork {
  double flops = 0;       ///< a multiply-add counts two; of products alone, as networks count them
  double pair_flops = 0;  ///< those of attention, which grow with the square of the length
  std::vector<ParameterUse> parameters;
  std::vector<TensorUse> kept;  ///< tensors that stay in memory for the backward pass
  bool layer = false;           ///< starts a layer: a product with a weight, or an embedding
};

/// Nothing for an operation that is unknown, or whose shapes are not told. What it calls must then
/// be looked at instead. Operations: convolutions, products of matrices (linear, addmm, mm, matmul,
/// bmm, baddbmm), attention (scaled_dot_product_attention), embeddings, norms, softmax, dropout and
/// smooth activations.
[[nodiscard]] std::optional<OperationWork> work_of(const Operation& operation);

/// Operations of a product that a backward pass makes; 0 for other operations.
[[nodiscard]] double backward_flops_of(const Operation& operation);

}  // namespace vgsim::traces
