#include <vector>

#include "models/calibration/probe_networks.hpp"
#include "tools/probe/cuda/networks/bottleneck.hpp"
#include "tools/probe/cuda/precision.hpp"
#include "tools/probe/cuda/works.hpp"

namespace vgsim::probe::cuda {
namespace {

using calibration::probe_cnn::kBlocks;
using calibration::probe_cnn::kChannels;

/// Of the gradient of the output, small so that sums over all pixels stay in the range of fp16.
constexpr float kCnnGradientScale = 1e-3F;

class CnnStep : public StreamWork {
 public:
  CnnStep(const GpuPtr& gpu, Number number, Math math, std::int64_t batch)
      : StreamWork(gpu),
        kernels_(gpu, stream(), number),
        pool_(gpu, number),
        parameters_(gpu, kernels_, Parameters::Optimizer::kSgd, kBlocks * Bottleneck::parameters()),
        operations_(gpu, kernels_, math, batch, pool_),
        input_(pool_.tensor(operations_.pixels * kChannels)),
        output_gradient_(pool_.tensor(operations_.pixels * kChannels)),
        gradient_(pool_.tensor(operations_.pixels * kChannels)) {
    for (std::int64_t i = 0; i < kBlocks; ++i) {
      blocks_.emplace_back(operations_, parameters_, pool_);
    }
    const std::int64_t count = operations_.pixels * kChannels;
    fill_random(stream(), input_, number, count);
    fill_random(stream(), output_gradient_, number, count, kCnnGradientScale);
    stream().synchronize();
  }

 private:
  void enqueue() override {
    CUdeviceptr x = input_;
    for (Bottleneck& block : blocks_) x = block.forward(x);
    CUdeviceptr dy = output_gradient_;
    for (auto block = blocks_.rbegin(); block != blocks_.rend(); ++block) {
      block->backward(dy, gradient_);
      dy = gradient_;
    }
    parameters_.update();
  }

  NetworkKernels kernels_;
  TensorPool pool_;
  Parameters parameters_;
  BottleneckOperations operations_;
  CUdeviceptr input_;
  CUdeviceptr output_gradient_;
  CUdeviceptr gradient_;  ///< between two blocks, and of the input
  std::vector<Bottleneck> blocks_;
};

}  // namespace

std::unique_ptr<PreparedWork> prepare_cnn(GpuPtr gpu, const calibration::TrainingStep& work) {
  const Precision precision = precision_of(work.precision);
  const Math math = work.precision == "fp32" ? Math::kFp32 : Math::kTensorCores;
  return std::make_unique<CnnStep>(gpu, precision.input, math, work.batch);
}

}  // namespace vgsim::probe::cuda
