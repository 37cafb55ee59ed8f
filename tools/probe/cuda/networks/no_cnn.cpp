#include "tools/probe/cuda/works.hpp"

namespace vgsim::probe::cuda {

std::unique_ptr<PreparedWork> prepare_cnn(GpuPtr, const calibration::TrainingStep&) {
  throw DeviceError("built without cuDNN's headers");
}

}  // namespace vgsim::probe::cuda
