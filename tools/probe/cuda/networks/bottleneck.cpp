#include "tools/probe/cuda/networks/bottleneck.hpp"

#include "models/calibration/probe_networks.hpp"

namespace vgsim::probe::cuda {
namespace {

using calibration::probe_cnn::kChannels;
using calibration::probe_cnn::kFilterExtent;
using calibration::probe_cnn::kInnerChannels;

/// The norms after the convolutions make the scale of the weights irrelevant.
constexpr float kFilterScale = 0.2F;

constexpr std::int64_t kOuterWeights = kChannels * kInnerChannels;
constexpr std::int64_t kInnerWeights =
    kFilterExtent * kFilterExtent * kInnerChannels * kInnerChannels;

ConvolutionShape shape(std::int64_t batch, std::int64_t in, std::int64_t out, std::int64_t filter) {
  return {static_cast<int>(batch), static_cast<int>(calibration::probe_cnn::kExtent),
          static_cast<int>(in), static_cast<int>(out), static_cast<int>(filter)};
}

}  // namespace

BottleneckOperations::BottleneckOperations(const GpuPtr& gpu, const NetworkKernels& network,
                                           Math math, std::int64_t batch, TensorPool& pool)
    : kernels(network),
      rows(batch * calibration::probe_cnn::kPixels),
      dnn(gpu, network.stream()),
      reduce(dnn, network.number(), math, shape(batch, kChannels, kInnerChannels, 1)),
      inner(dnn, network.number(), math,
            shape(batch, kInnerChannels, kInnerChannels, kFilterExtent)),
      expand(dnn, network.number(), math, shape(batch, kInnerChannels, kChannels, 1)),
      branch(pool.tensor(rows * kChannels)),
      past(pool.tensor(rows * kChannels)),
      inner_gradient(pool.tensor(rows * kInnerChannels)),
      other_gradient(pool.tensor(rows * kInnerChannels)) {}

Bottleneck::Bottleneck(const BottleneckOperations& operations, Parameters& parameters,
                       TensorPool& pool)
    : operations_(operations),
      reduce_(stage(parameters, pool, kOuterWeights, kInnerChannels)),
      inner_(stage(parameters, pool, kInnerWeights, kInnerChannels)),
      expand_(stage(parameters, pool, kOuterWeights, kChannels)) {}

std::int64_t Bottleneck::parameters() {
  constexpr std::int64_t kNorms = 2 * (2 * kInnerChannels + kChannels);
  return 2 * kOuterWeights + kInnerWeights + kNorms;
}

Bottleneck::Stage Bottleneck::stage(Parameters& parameters, TensorPool& pool, std::int64_t weights,
                                    std::int64_t channels) const {
  return {parameters.add(weights, kFilterScale),
          parameters.add_norm(channels, pool.floats(2 * channels), channels),
          pool.tensor(operations_.rows * channels), pool.tensor(operations_.rows * channels)};
}

CUdeviceptr Bottleneck::forward(CUdeviceptr x) {
  const BottleneckOperations& o = operations_;
  const std::int64_t inner_count = o.rows * kInnerChannels;
  const std::int64_t count = o.rows * kChannels;
  x_ = x;
  o.reduce.forward(x, reduce_.weights, reduce_.convolved);
  o.kernels.batch_norm(reduce_.convolved, reduce_.norm, reduce_.active, {o.rows, kInnerChannels});
  o.kernels.relu(reduce_.active, inner_count);
  o.inner.forward(reduce_.active, inner_.weights, inner_.convolved);
  o.kernels.batch_norm(inner_.convolved, inner_.norm, inner_.active, {o.rows, kInnerChannels});
  o.kernels.relu(inner_.active, inner_count);
  o.expand.forward(inner_.active, expand_.weights, expand_.convolved);
  o.kernels.batch_norm(expand_.convolved, expand_.norm, o.branch, {o.rows, kChannels});
  o.kernels.add(x, o.branch, expand_.active, count);
  o.kernels.relu(expand_.active, count);
  return expand_.active;
}

void Bottleneck::backward(CUdeviceptr dy, CUdeviceptr dx) const {
  const BottleneckOperations& o = operations_;
  const std::int64_t inner_count = o.rows * kInnerChannels;
  const std::int64_t count = o.rows * kChannels;
  o.kernels.relu_backward(expand_.active, dy, o.past, count);
  o.kernels.batch_norm_backward(expand_.convolved, expand_.norm, o.past, o.branch,
                                {o.rows, kChannels});
  o.expand.backward(inner_.active, expand_.weights, o.branch, o.inner_gradient);

  o.kernels.relu_backward(inner_.active, o.inner_gradient, o.inner_gradient, inner_count);
  o.kernels.batch_norm_backward(inner_.convolved, inner_.norm, o.inner_gradient, o.inner_gradient,
                                {o.rows, kInnerChannels});
  o.inner.backward(reduce_.active, inner_.weights, o.inner_gradient, o.other_gradient);

  o.kernels.relu_backward(reduce_.active, o.other_gradient, o.other_gradient, inner_count);
  o.kernels.batch_norm_backward(reduce_.convolved, reduce_.norm, o.other_gradient, o.other_gradient,
                                {o.rows, kInnerChannels});
  o.reduce.backward(x_, reduce_.weights, o.other_gradient, o.branch);
  o.kernels.add(o.branch, o.past, dx, count);
}

}  // namespace vgsim::probe::cuda
