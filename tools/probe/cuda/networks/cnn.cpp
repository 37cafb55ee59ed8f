#include "models/calibration/probe_networks.hpp"
#include "tools/probe/cuda/networks/bottleneck.hpp"
#include "tools/probe/cuda/networks/network_step.hpp"
#include "tools/probe/cuda/precision.hpp"

namespace vgsim::probe::cuda {

std::unique_ptr<PreparedWork> prepare_cnn(GpuPtr gpu, const calibration::TrainingStep& work) {
  using calibration::probe_cnn::kBlocks;
  using calibration::probe_cnn::kChannels;
  const NetworkShape shape{precision_of(work.precision).input, Parameters::Optimizer::kSgd, kBlocks,
                           kChannels};
  const Math math = work.precision == "fp32" ? Math::kFp32 : Math::kTensorCores;
  return std::make_unique<NetworkStep<Bottleneck, BottleneckOperations>>(gpu, shape, math,
                                                                         work.batch);
}

}  // namespace vgsim::probe::cuda
