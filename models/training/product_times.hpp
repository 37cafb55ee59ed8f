#pragma once

#include <cstdint>
#include <map>
#include <tuple>

#include "models/kernels/kernel_gpu.hpp"
#include "models/kernels/matrix_product.hpp"
#include "models/training/layer_group.hpp"
#include "models/training/parallelism.hpp"

namespace vgsim::training {

/// Of a layer's products with weights, those of one pass.
enum class ProductPass : std::uint8_t {
  kForward,
  kInputs,   ///< gradients of what they take
  kWeights,  ///< gradients of weights that are trained
};

/// One product as a rank computes it.
struct RankProduct {
  kernels::MatrixProduct shape;
  double times = 1;  ///< of a micro-batch: once for each expert that the rank holds
};

/// Tensor-parallel ranks split the results of a product or what it sums over; tokens are split over
/// context-parallel ranks, and each expert sees its part of them. Going backward, gradients of
/// inputs and of weights are products of the same operations in other shapes.
[[nodiscard]] RankProduct product_of_rank(const LayerGroup::Product& product,
                                          const LayerGroup& layer, const Parallelism& parallelism,
                                          std::int64_t tokens, ProductPass pass,
                                          double operand_bytes);

/// How long the products of layers take on one kind of GPU, by their shapes (models/kernels).
class ProductTimes {
 public:
  /// `slower`: than alone on a GPU that does nothing else.
  ProductTimes(kernels::KernelGpu gpu, const kernels::ProductConstants& constants, double slower,
               double operand_bytes);

  /// Seconds of one micro-batch on one rank.
  [[nodiscard]] double seconds(const LayerGroup& layer, const Parallelism& parallelism,
                               std::int64_t tokens, ProductPass pass) const;

  void slow_down(double factor) { slower_ *= factor; }
  /// Leaves a part of the multiprocessors, and of the memory's rate.
  void leave(double compute, double memory);

 private:
  kernels::KernelGpu gpu_;
  kernels::ProductConstants constants_;
  double slower_;
  double operand_bytes_;
  mutable std::map<std::tuple<double, double, double>, double> known_;  ///< seconds by m, n, k
};

}  // namespace vgsim::training
