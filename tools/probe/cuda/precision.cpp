#include "tools/probe/cuda/precision.hpp"

#include <fmt/format.h>

#include "tools/probe/device_layer.hpp"

namespace vgsim::probe::cuda {

Precision precision_of(const std::string& name) {
  if (name == "fp32") return {Number::kFp32, Number::kFp32, CUBLAS_COMPUTE_32F};
  if (name == "tf32") return {Number::kFp32, Number::kFp32, CUBLAS_COMPUTE_32F_FAST_TF32};
  if (name == "fp16") return {Number::kFp16, Number::kFp16, CUBLAS_COMPUTE_32F};
  if (name == "bf16") return {Number::kBf16, Number::kBf16, CUBLAS_COMPUTE_32F};
  if (name == "fp8") return {Number::kFp8, Number::kBf16, CUBLAS_COMPUTE_32F};
  throw DeviceError(fmt::format("unknown precision \"{}\"", name));
}

cudaDataType_t blas_type(Number number) {
  switch (number) {
    case Number::kFp32:
      return CUDA_R_32F;
    case Number::kFp16:
      return CUDA_R_16F;
    case Number::kBf16:
      return CUDA_R_16BF;
    case Number::kFp8:
      return CUDA_R_8F_E4M3;
  }
  throw DeviceError("numbers of an unknown format");
}

}  // namespace vgsim::probe::cuda
