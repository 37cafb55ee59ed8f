#pragma once

#include <memory>

#include "tools/probe/device_layer.hpp"

namespace vgsim::probe {

/// The GPUs of this machine. Throws DeviceError, with a message, if there is no driver or no
/// GPU.
[[nodiscard]] std::unique_ptr<DeviceLayer> open_cuda_devices();

}  // namespace vgsim::probe
