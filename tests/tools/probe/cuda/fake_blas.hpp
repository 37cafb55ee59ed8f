#pragma once

#include <cublasLt.h>

#include <cstdint>

#include "tests/tools/probe/cuda/registry.hpp"

/// State of the fake cuBLASLt.
namespace vgsim::fake::blas {

struct Handle {
  int gpu;
};

struct Layout {
  cudaDataType type;
  std::size_t rows;
  std::size_t columns;
  std::size_t leading;
  std::int32_t batches = 1;
  std::int64_t stride = 0;

  [[nodiscard]] std::size_t element() const {
    return type == CUDA_R_32F ? 4 : type == CUDA_R_8F_E4M3 ? 1 : 2;
  }
  [[nodiscard]] std::size_t bytes() const {
    const std::size_t last = leading * (columns - 1) + rows;
    return (static_cast<std::size_t>(stride) * static_cast<std::size_t>(batches - 1) + last) *
           element();
  }
};

struct Product {
  cublasComputeType_t compute;
  std::int32_t transposed_a = CUBLAS_OP_N;
  std::int32_t transposed_b = CUBLAS_OP_N;
  std::int8_t fast = 0;
  const void* a_scale = nullptr;
  const void* b_scale = nullptr;
};

struct Preference {
  std::uint64_t workspace = 0;
};

struct Library {
  ~Library() {
    report_live(handles);
    report_live(layouts);
    report_live(products);
    report_live(preferences);
  }
  Registry<Handle, cublasLtHandle_t> handles{"cublasLtHandle_t"};
  Registry<Layout, cublasLtMatrixLayout_t> layouts{"cublasLtMatrixLayout_t"};
  Registry<Product, cublasLtMatmulDesc_t> products{"cublasLtMatmulDesc_t"};
  Registry<Preference, cublasLtMatmulPreference_t> preferences{"cublasLtMatmulPreference_t"};
};

[[nodiscard]] Library& library();

}  // namespace vgsim::fake::blas
