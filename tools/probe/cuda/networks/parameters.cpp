#include "tools/probe/cuda/networks/parameters.hpp"

namespace vgsim::probe::cuda {
namespace {

std::size_t bytes(std::int64_t count, Number number) {
  return static_cast<std::size_t>(count) * size_of(number);
}

}  // namespace

Parameters::Parameters(const GpuPtr& gpu, const NetworkKernels& kernels, Optimizer optimizer,
                       std::int64_t count)
    : kernels_(kernels),
      optimizer_(optimizer),
      separate_(kernels.number() != Number::kFp32),
      count_(count),
      parameters_(gpu, bytes(count, Number::kFp32)),
      momenta_(gpu, bytes(count, Number::kFp32)),
      variances_(gpu, optimizer == Optimizer::kAdam ? bytes(count, Number::kFp32) : 0),
      gradients_(gpu, bytes(count, kernels.number())),
      weights_(gpu, separate_ ? bytes(count, kernels.number()) : 0) {
  const Stream& stream = kernels.stream();
  clear(stream, momenta_.address(), bytes(count, Number::kFp32));
  if (optimizer == Optimizer::kAdam) {
    clear(stream, variances_.address(), bytes(count, Number::kFp32));
  }
  clear(stream, gradients_.address(), bytes(count, kernels.number()));
}

Parameters::Tensor Parameters::add(std::int64_t count, float scale, float offset) {
  const CUdeviceptr parameters = parameters_.address() + bytes(added_, Number::kFp32);
  const CUdeviceptr gradient = gradients_.address() + bytes(added_, kernels_.number());
  const CUdeviceptr weight =
      separate_ ? weights_.address() + bytes(added_, kernels_.number()) : parameters;
  fill_random(kernels_.stream(), parameters, Number::kFp32, count, scale, offset);
  if (separate_) {
    fill_random(kernels_.stream(), weight, kernels_.number(), count, scale, offset);
  }
  added_ += count;
  return {weight, gradient};
}

Norm Parameters::add_norm(std::int64_t columns, CUdeviceptr kept, std::int64_t rows_kept) {
  const Tensor gamma = add(columns, 0, 1);
  const Tensor beta = add(columns, 0);
  return {gamma.weight,  beta.weight, gamma.gradient,
          beta.gradient, kept,        kept + bytes(rows_kept, Number::kFp32)};
}

void Parameters::update() {
  const OptimizedWeights state{parameters_.address(), momenta_.address(), variances_.address(),
                               gradients_.address(),  weights_.address(), count_};
  if (optimizer_ == Optimizer::kAdam) {
    kernels_.adam(state, ++step_);
  } else {
    kernels_.sgd(state);
  }
}

}  // namespace vgsim::probe::cuda
