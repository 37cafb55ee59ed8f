#include <algorithm>
#include <vector>

#include "models/calibration/probe_networks.hpp"
#include "tools/probe/cuda/networks/decoder_layer.hpp"
#include "tools/probe/cuda/works.hpp"

namespace vgsim::probe::cuda {
namespace {

using calibration::probe_transformer::kHidden;
using calibration::probe_transformer::kLayers;

/// Of the gradient of the output, small so that sums over all tokens stay in the range of fp16.
constexpr float kGradientScale = 1e-3F;

class TransformerStep : public StreamWork {
 public:
  TransformerStep(const GpuPtr& gpu, const Precision& precision, std::int64_t batch)
      : StreamWork(gpu),
        kernels_(gpu, stream(), precision.input),
        pool_(gpu, precision.input),
        parameters_(gpu, kernels_, Parameters::Optimizer::kAdam,
                    kLayers * DecoderLayer::parameters()),
        operations_(gpu, kernels_, precision, batch, pool_),
        input_(pool_.tensor(operations_.tokens * kHidden)),
        output_gradient_(pool_.tensor(operations_.tokens * kHidden)),
        gradient_(pool_.tensor(operations_.tokens * kHidden)) {
    for (std::int64_t i = 0; i < kLayers; ++i) {
      layers_.emplace_back(operations_, parameters_, pool_);
    }
    const std::int64_t count = operations_.tokens * kHidden;
    fill_random(stream(), input_, precision.input, count);
    fill_random(stream(), output_gradient_, precision.input, count, kGradientScale);
    stream().synchronize();
  }

 private:
  void enqueue() override {
    CUdeviceptr x = input_;
    for (DecoderLayer& layer : layers_) x = layer.forward(x);
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
  DecoderOperations operations_;
  CUdeviceptr input_;
  CUdeviceptr output_gradient_;
  CUdeviceptr gradient_;  ///< between two layers, and of the input
  std::vector<DecoderLayer> layers_;
};

}  // namespace

std::unique_ptr<PreparedWork> prepare_transformer(GpuPtr gpu,
                                                  const calibration::TrainingStep& work) {
  return std::make_unique<TransformerStep>(gpu, precision_of(work.precision), work.batch);
}

}  // namespace vgsim::probe::cuda
