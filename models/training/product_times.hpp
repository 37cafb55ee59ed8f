#pragma once

#include <cstdint>
#include <map>
#include <tuple>

#include "models/kernels/kernel_gpu.hpp"
#include "models/kernels/matrix_product.hpp"
#include "models/training/layer_group.hpp"
#include "models/training/parallelism.hpp"

namespace vgsim::training {

/// The products of a layer with weights in one pass.
enum class ProductPass : std::uint8_t {
  kForward,
  kInputs,   ///< gradients of inputs
  kWeights,  ///< gradients of trained weights
};

/// One product as a rank computes it.
struct RankProduct {
  kernels::MatrixProduct shape;
  /// in a micro-batch: once for each expert that the rank holds, or once for all of them
  double times = 1;
};

/// Tensor-parallel ranks split the results of a product or its summed dimension. Context-parallel
/// ranks split the tokens, and each expert gets its share of them. In the backward pass, gradients
/// of inputs and of weights are products with the same operations in other shapes.
[[nodiscard]] RankProduct product_of_rank(const LayerGroup::Product& product,
                                          const LayerGroup& layer, const Parallelism& parallelism,
                                          std::int64_t tokens, ProductPass pass,
                                          double operand_bytes);

/// Times of the products of layers on one kind of GPU, by shape (models/kernels).
class ProductTimes {
 public:
  /// `slower`: factor on the time of a product alone on an idle GPU.
  ProductTimes(kernels::KernelGpu gpu, const kernels::ProductConstants& constants, double slower,
               double operand_bytes);

  /// Seconds of one micro-batch on one rank.
  [[nodiscard]] double seconds(const LayerGroup& layer, const Parallelism& parallelism,
                               std::int64_t tokens, ProductPass pass) const;

  void slow_down(double factor) { slower_ *= factor; }
  /// Restricts the products to shares of the multiprocessors and of the memory bandwidth.
  void leave(double compute, double memory);

 private:
  kernels::KernelGpu gpu_;
  kernels::ProductConstants constants_;
  double slower_;
  double operand_bytes_;
  mutable std::map<std::tuple<double, double, double, double>, double>
      known_;  ///< seconds by m, n, k, groups
};

}  // namespace vgsim::training
