#pragma once

#include <cublasLt.h>

#include <string>

#include "tools/probe/cuda/device_memory.hpp"

namespace vgsim::probe::cuda {

/// How matrix products of one precision are computed. Sums are kept in fp32 in all of them.
struct Precision {
  Number input = Number::kFp32;
  Number output = Number::kFp32;
  cublasComputeType_t compute = CUBLAS_COMPUTE_32F;
};

/// By the name in a job: "fp32", "tf32", "fp16", "bf16", "fp8". Throws DeviceError for another.
[[nodiscard]] Precision precision_of(const std::string& name);

[[nodiscard]] cudaDataType_t blas_type(Number number);

}  // namespace vgsim::probe::cuda
