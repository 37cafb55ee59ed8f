#pragma once

#include <cublasLt.h>

#include <string>

#include "tools/probe/cuda/device_memory.hpp"

namespace vgsim::probe::cuda {

/// The number formats of a precision. All accumulate in fp32.
struct Precision {
  Number input = Number::kFp32;
  Number output = Number::kFp32;
  cublasComputeType_t compute = CUBLAS_COMPUTE_32F;
};

/// By the name in a job: "fp32", "tf32", "fp16", "bf16", "fp8". Throws DeviceError for other
/// names.
[[nodiscard]] Precision precision_of(const std::string& name);

[[nodiscard]] cudaDataType_t blas_type(Number number);

}  // namespace vgsim::probe::cuda
