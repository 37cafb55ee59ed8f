#include "tools/probe/cuda/cuda_devices.hpp"

namespace vgsim::probe {

std::unique_ptr<DeviceLayer> open_cuda_devices() {
  throw DeviceError("this vgsim was built without the CUDA toolkit");
}

}  // namespace vgsim::probe
