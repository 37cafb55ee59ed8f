#include "tools/probe/cuda/libraries/nccl_api.hpp"

#include <fmt/format.h>

#include "tools/probe/device_layer.hpp"

namespace vgsim::probe::cuda {

const NcclApi& nccl() {
  static const NcclApi api{SharedLibrary({"libnccl.so.2"})};
  return api;
}

void check(ncclResult_t result, const char* call) {
  if (result == ncclSuccess) return;
  throw DeviceError(fmt::format("{}: {}", call, nccl().error_string(result)));
}

}  // namespace vgsim::probe::cuda
