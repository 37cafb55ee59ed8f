#include "tools/probe/cuda/libraries/dnn_api.hpp"

#include <fmt/format.h>

#include "tools/probe/cuda/libraries/blas_api.hpp"
#include "tools/probe/device_layer.hpp"

namespace vgsim::probe::cuda {
namespace {

/// cuDNN opens cuBLASLt and the runtime compiler by name. Loading them first makes their
/// folders irrelevant. The compiler is optional.
DnnApi load() {
  static_cast<void>(blas());
  try {
    const SharedLibrary compiler({"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2"});
  } catch (const DeviceError&) {
  }
  return DnnApi{SharedLibrary({"libcudnn.so.9", "libcudnn.so.8"})};
}

}  // namespace

const DnnApi& dnn() {
  static const DnnApi api = load();
  return api;
}

void check(cudnnStatus_t status, const char* call) {
  if (status == CUDNN_STATUS_SUCCESS) return;
  throw DeviceError(fmt::format("{}: {}", call, dnn().error_string(status)));
}

}  // namespace vgsim::probe::cuda
