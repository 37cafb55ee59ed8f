#include "tools/probe/cuda/libraries/blas_api.hpp"

#include <fmt/format.h>

#include "tools/probe/device_layer.hpp"

namespace vgsim::probe::cuda {

const BlasApi& blas() {
  static const BlasApi api{
      SharedLibrary({"libcublasLt.so.13", "libcublasLt.so.12", "libcublasLt.so.11"})};
  return api;
}

void check(cublasStatus_t status, const char* call) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  throw DeviceError(fmt::format("{}: {}", call, blas().status_name(status)));
}

}  // namespace vgsim::probe::cuda
