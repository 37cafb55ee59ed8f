#include "models/calibration/probe_networks.hpp"
#include "tools/probe/cuda/networks/decoder_layer.hpp"
#include "tools/probe/cuda/networks/network_step.hpp"

namespace vgsim::probe::cuda {

std::unique_ptr<PreparedWork> prepare_transformer(GpuPtr gpu,
                                                  const calibration::TrainingStep& work) {
  using calibration::probe_transformer::kHidden;
  using calibration::probe_transformer::kLayers;
  const Precision precision = precision_of(work.precision);
  const NetworkShape shape{precision.input, Parameters::Optimizer::kAdam, kLayers, kHidden};
  return std::make_unique<NetworkStep<DecoderLayer, DecoderOperations>>(gpu, shape, precision,
                                                                        work.batch);
}

}  // namespace vgsim::probe::cuda
