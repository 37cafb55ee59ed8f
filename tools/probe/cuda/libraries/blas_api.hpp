#pragma once

#include <cublasLt.h>

#include "tools/probe/cuda/libraries/shared_library.hpp"

namespace vgsim::probe::cuda {

/// The functions of cuBLASLt that the probe calls.
struct BlasApi {
  SharedLibrary library;

  decltype(&cublasLtGetStatusName) status_name = VGSIM_SYMBOL(library, cublasLtGetStatusName);
  decltype(&cublasLtCreate) create = VGSIM_SYMBOL(library, cublasLtCreate);
  decltype(&cublasLtDestroy) destroy = VGSIM_SYMBOL(library, cublasLtDestroy);
  decltype(&cublasLtMatmul) multiply = VGSIM_SYMBOL(library, cublasLtMatmul);
  decltype(&cublasLtMatmulAlgoGetHeuristic) heuristic =
      VGSIM_SYMBOL(library, cublasLtMatmulAlgoGetHeuristic);

  decltype(&cublasLtMatmulDescCreate) product_create =
      VGSIM_SYMBOL(library, cublasLtMatmulDescCreate);
  decltype(&cublasLtMatmulDescDestroy) product_destroy =
      VGSIM_SYMBOL(library, cublasLtMatmulDescDestroy);
  decltype(&cublasLtMatmulDescSetAttribute) product_set =
      VGSIM_SYMBOL(library, cublasLtMatmulDescSetAttribute);

  decltype(&cublasLtMatrixLayoutCreate) layout_create =
      VGSIM_SYMBOL(library, cublasLtMatrixLayoutCreate);
  decltype(&cublasLtMatrixLayoutDestroy) layout_destroy =
      VGSIM_SYMBOL(library, cublasLtMatrixLayoutDestroy);
  decltype(&cublasLtMatrixLayoutSetAttribute) layout_set =
      VGSIM_SYMBOL(library, cublasLtMatrixLayoutSetAttribute);

  decltype(&cublasLtMatmulPreferenceCreate) preference_create =
      VGSIM_SYMBOL(library, cublasLtMatmulPreferenceCreate);
  decltype(&cublasLtMatmulPreferenceDestroy) preference_destroy =
      VGSIM_SYMBOL(library, cublasLtMatmulPreferenceDestroy);
  decltype(&cublasLtMatmulPreferenceSetAttribute) preference_set =
      VGSIM_SYMBOL(library, cublasLtMatmulPreferenceSetAttribute);
};

/// cuBLASLt, loaded at the first call. Throws DeviceError where it is not there.
[[nodiscard]] const BlasApi& blas();

/// Throws DeviceError where `call` did not succeed.
void check(cublasStatus_t status, const char* call);

}  // namespace vgsim::probe::cuda
