#pragma once

#include <cublasLt.h>

#include "tools/probe/cuda/libraries/shared_library.hpp"

namespace vgsim::probe::cuda {

/// The functions of cuBLASLt that the probe calls.
struct BlasApi {
  SharedLibrary library;

  VGSIM_FUNCTION(status_name, cublasLtGetStatusName);
  VGSIM_FUNCTION(create, cublasLtCreate);
  VGSIM_FUNCTION(destroy, cublasLtDestroy);
  VGSIM_FUNCTION(multiply, cublasLtMatmul);
  VGSIM_FUNCTION(heuristic, cublasLtMatmulAlgoGetHeuristic);

  VGSIM_FUNCTION(product_create, cublasLtMatmulDescCreate);
  VGSIM_FUNCTION(product_destroy, cublasLtMatmulDescDestroy);
  VGSIM_FUNCTION(product_set, cublasLtMatmulDescSetAttribute);

  VGSIM_FUNCTION(layout_create, cublasLtMatrixLayoutCreate);
  VGSIM_FUNCTION(layout_destroy, cublasLtMatrixLayoutDestroy);
  VGSIM_FUNCTION(layout_set, cublasLtMatrixLayoutSetAttribute);

  VGSIM_FUNCTION(preference_create, cublasLtMatmulPreferenceCreate);
  VGSIM_FUNCTION(preference_destroy, cublasLtMatmulPreferenceDestroy);
  VGSIM_FUNCTION(preference_set, cublasLtMatmulPreferenceSetAttribute);
};

/// cuBLASLt, loaded at the first call. Throws DeviceError if it is missing.
[[nodiscard]] const BlasApi& blas();

/// Throws DeviceError if `call` failed.
void check(cublasStatus_t status, const char* call);

}  // namespace vgsim::probe::cuda
