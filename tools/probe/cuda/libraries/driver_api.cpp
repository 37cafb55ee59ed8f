#include "tools/probe/cuda/libraries/driver_api.hpp"

#include <fmt/format.h>

#include "tools/probe/device_layer.hpp"

namespace vgsim::probe::cuda {

const DriverApi& driver() {
  static const DriverApi api{SharedLibrary({"libcuda.so.1"})};
  return api;
}

void check(CUresult result, const char* call) {
  if (result == CUDA_SUCCESS) return;
  const char* name = nullptr;
  if (driver().error_name(result, &name) != CUDA_SUCCESS || name == nullptr) {
    throw DeviceError(fmt::format("{}: error {}", call, static_cast<int>(result)));
  }
  throw DeviceError(fmt::format("{}: {}", call, name));
}

}  // namespace vgsim::probe::cuda
