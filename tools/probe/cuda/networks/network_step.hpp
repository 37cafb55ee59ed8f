#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tools/probe/cuda/graph.hpp"
#include "tools/probe/cuda/networks/network_kernels.hpp"
#include "tools/probe/cuda/networks/parameters.hpp"
#include "tools/probe/cuda/networks/tensor_pool.hpp"
#include "tools/probe/cuda/works.hpp"

namespace vgsim::probe::cuda {

struct NetworkShape {
  Number number = Number::kFp32;
  Parameters::Optimizer optimizer = Parameters::Optimizer::kSgd;
  std::int64_t layers = 0;
  std::int64_t width = 0;  ///< columns of the tensors between layers
};

/// A training step of a network of equal layers: all forward passes, all backward passes, then
/// the optimizer, launched as one CUDA graph: libraries take up to 50 us to queue a
/// convolution, longer than fast GPUs take to compute it. Operations::rows is the number of
/// rows of those tensors for a batch.
template <class Layer, class Operations>
class NetworkStep : public StreamWork {
 public:
  /// `how`: the number format of Operations. Throws DeviceError.
  template <class How>
  NetworkStep(const GpuPtr& gpu, const NetworkShape& shape, const How& how, std::int64_t batch)
      : StreamWork(gpu),
        kernels_(gpu, stream(), shape.number),
        pool_(gpu, shape.number),
        parameters_(gpu, kernels_, shape.optimizer, shape.layers * Layer::parameters()),
        operations_(gpu, kernels_, how, batch, pool_),
        input_(pool_.tensor(operations_.rows * shape.width)),
        output_gradient_(pool_.tensor(operations_.rows * shape.width)),
        gradient_(pool_.tensor(operations_.rows * shape.width)) {
    // Scale of the output's gradient that keeps sums over all rows in the range of fp16.
    constexpr float kGradientScale = 1e-3F;
    for (std::int64_t i = 0; i < shape.layers; ++i) {
      layers_.emplace_back(operations_, parameters_, pool_);
    }
    const std::int64_t count = operations_.rows * shape.width;
    fill_random(stream(), input_, shape.number, count);
    fill_random(stream(), output_gradient_, shape.number, count, kGradientScale);
    queue();
    stream().synchronize();
    graph_.emplace(stream(), [this] { queue(); });
  }

 private:
  void enqueue() override { graph_->launch(); }

  void queue() {
    CUdeviceptr x = input_;
    for (Layer& layer : layers_) x = layer.forward(x);
    CUdeviceptr dy = output_gradient_;
    for (auto layer = layers_.rbegin(); layer != layers_.rend(); ++layer) {
      layer->backward(dy, gradient_);
      dy = gradient_;
    }
    parameters_.update();
  }

  NetworkKernels kernels_;
  TensorPool pool_;
  Parameters parameters_;
  Operations operations_;
  CUdeviceptr input_;
  CUdeviceptr output_gradient_;
  CUdeviceptr gradient_;  ///< between two layers, and of the input
  std::vector<Layer> layers_;
  std::optional<Graph> graph_;
};

}  // namespace vgsim::probe::cuda
