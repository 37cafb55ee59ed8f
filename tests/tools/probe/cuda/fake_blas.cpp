// cuBLASLt's handles and descriptors.

#include "tests/tools/probe/cuda/fake_blas.hpp"

#include <cstring>

using namespace vgsim::fake;
using namespace vgsim::fake::blas;

namespace vgsim::fake::blas {

Library& library() {
  static Library only;
  return only;
}

}  // namespace vgsim::fake::blas

namespace {

template <class Objects, class Handle>
cublasStatus_t destroy(const char* call, Objects& objects, Handle handle) {
  if (objects.find(call, handle) == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  objects.destroy(handle);
  return CUBLAS_STATUS_SUCCESS;
}

template <class Value>
cublasStatus_t set(Value& value, const void* from, std::size_t size) {
  if (size != sizeof value) {
    misuse("cublasLt: an attribute of another size");
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  std::memcpy(&value, from, size);
  return CUBLAS_STATUS_SUCCESS;
}

}  // namespace

const char* cublasLtGetStatusName(cublasStatus_t status) {
  return status == CUBLAS_STATUS_ALLOC_FAILED ? "CUBLAS_STATUS_ALLOC_FAILED" : "CUBLAS_STATUS";
}

cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle) {
  const int gpu = current_gpu("cublasLtCreate");
  if (gpu == kNoGpu) return CUBLAS_STATUS_NOT_INITIALIZED;
  *handle = library().handles.make({gpu});
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) {
  const Handle* const found = library().handles.find("cublasLtDestroy", handle);
  if (found != nullptr && current_gpu("cublasLtDestroy") != found->gpu) {
    misuse("cublasLtDestroy: the context of another GPU is current");
  }
  return destroy("cublasLtDestroy", library().handles, handle);
}

cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* product, cublasComputeType_t compute,
                                        cudaDataType_t scale) {
  if (scale != CUDA_R_32F) misuse("cublasLtMatmulDescCreate: scales that are not fp32");
  *product = library().products.make({compute});
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t product) {
  return destroy("cublasLtMatmulDescDestroy", library().products, product);
}

cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t handle,
                                              cublasLtMatmulDescAttributes_t attribute,
                                              const void* from, std::size_t size) {
  Product* const product = library().products.find("cublasLtMatmulDescSetAttribute", handle);
  if (product == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  switch (attribute) {
    case CUBLASLT_MATMUL_DESC_TRANSA:
      return set(product->transposed_a, from, size);
    case CUBLASLT_MATMUL_DESC_TRANSB:
      return set(product->transposed_b, from, size);
    case CUBLASLT_MATMUL_DESC_FAST_ACCUM:
      return set(product->fast, from, size);
    case CUBLASLT_MATMUL_DESC_A_SCALE_POINTER:
      return set(product->a_scale, from, size);
    case CUBLASLT_MATMUL_DESC_B_SCALE_POINTER:
      return set(product->b_scale, from, size);
    default:
      misuse("cublasLtMatmulDescSetAttribute: an attribute that the fake does not support");
      return CUBLAS_STATUS_INVALID_VALUE;
  }
}

cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* layout, cudaDataType type,
                                          std::uint64_t rows, std::uint64_t columns,
                                          std::int64_t leading) {
  *layout = library().layouts.make({type, rows, columns, static_cast<std::size_t>(leading)});
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout) {
  return destroy("cublasLtMatrixLayoutDestroy", library().layouts, layout);
}

cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t handle,
                                                cublasLtMatrixLayoutAttribute_t attribute,
                                                const void* from, std::size_t size) {
  Layout* const layout = library().layouts.find("cublasLtMatrixLayoutSetAttribute", handle);
  if (layout == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  if (attribute == CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT) return set(layout->batches, from, size);
  if (attribute == CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET) {
    return set(layout->stride, from, size);
  }
  misuse("cublasLtMatrixLayoutSetAttribute: an attribute that the fake does not support");
  return CUBLAS_STATUS_INVALID_VALUE;
}

cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* preference) {
  *preference = library().preferences.make({});
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t preference) {
  return destroy("cublasLtMatmulPreferenceDestroy", library().preferences, preference);
}

cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t handle,
                                                    cublasLtMatmulPreferenceAttributes_t attribute,
                                                    const void* from, std::size_t size) {
  Preference* const preference =
      library().preferences.find("cublasLtMatmulPreferenceSetAttribute", handle);
  if (preference == nullptr || attribute != CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES) {
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  return set(preference->workspace, from, size);
}
