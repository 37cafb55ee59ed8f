#include "models/training/product_times.hpp"

#include <algorithm>
#include <utility>

namespace vgsim::training {
namespace {

std::tuple<double, double, double, double> shape_of(const kernels::MatrixProduct& product) {
  return {product.m, product.n, product.k, product.groups};
}

}  // namespace

RankProduct product_of_rank(const LayerGroup::Product& product, const LayerGroup& layer,
                            const Parallelism& p, std::int64_t tokens, ProductPass pass,
                            double operand_bytes) {
  const double tensor = product.whole ? 1.0 : static_cast<double>(p.tensor);
  double m = static_cast<double>(p.micro_batch * std::max<std::int64_t>(tokens, 1)) /
             static_cast<double>(p.context) * product.of_tokens;
  const double n = static_cast<double>(product.out) / (product.sums ? 1.0 : tensor);
  const double k = static_cast<double>(product.in) / (product.sums ? tensor : 1.0);
  RankProduct result;
  if (product.of_experts) {
    result.times =
        std::max(1.0, static_cast<double>(layer.experts) / static_cast<double>(p.expert));
    m *= static_cast<double>(layer.experts_per_token) / result.times;
  }
  result.shape = pass == ProductPass::kForward  ? kernels::MatrixProduct{m, n, k}
                 : pass == ProductPass::kInputs ? kernels::MatrixProduct{m, k, n}
                                                : kernels::MatrixProduct{k, n, m};
  if (product.grouped) std::swap(result.shape.groups, result.times);
  result.shape.operand_bytes = operand_bytes;
  result.shape.result_bytes = std::max(operand_bytes, 2.0);
  return result;
}

ProductTimes::ProductTimes(kernels::KernelGpu gpu, const kernels::ProductConstants& constants,
                           double slower, double operand_bytes)
    : gpu_(std::move(gpu)), constants_(constants), slower_(slower), operand_bytes_(operand_bytes) {}

double ProductTimes::seconds(const LayerGroup& layer, const Parallelism& parallelism,
                             std::int64_t tokens, ProductPass pass) const {
  double sum = 0;
  for (const LayerGroup::Product& product : layer.products) {
    if (pass == ProductPass::kWeights && !product.trained) continue;
    const RankProduct one =
        product_of_rank(product, layer, parallelism, tokens, pass, operand_bytes_);
    const auto [known, is_new] = known_.try_emplace(shape_of(one.shape), 0.0);
    if (is_new) known->second = kernels::seconds_of(one.shape, gpu_, constants_);
    sum += known->second * one.times;
  }
  return sum * slower_;
}

void ProductTimes::leave(double compute, double memory) {
  gpu_.multiprocessors *= compute;
  gpu_.peak *= compute;
  gpu_.memory_rate *= memory;
  known_.clear();
}

}  // namespace vgsim::training
