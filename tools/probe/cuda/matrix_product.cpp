#include "tools/probe/cuda/matrix_product.hpp"

#include <utility>

#include "tools/probe/device_layer.hpp"

namespace vgsim::probe::cuda {
namespace {

struct DestroyPreference {
  void operator()(cublasLtMatmulPreferenceOpaque_t* preference) const {
    blas().preference_destroy(preference);
  }
};

}  // namespace

Blas::Blas(const GpuPtr& gpu) : gpu_(gpu), workspace_(gpu, kWorkspace), one_(gpu, sizeof(float)) {
  const Stream stream(gpu);
  fill_random(stream, one_.address(), Number::kFp32, 1, 0, 1);
  stream.synchronize();
  check(blas().create(&handle_), "cublasLtCreate");
}

Blas::~Blas() {
  gpu_->try_make_current();
  blas().destroy(handle_);
}

void MatrixProduct::Destroy::operator()(cublasLtMatmulDescOpaque_t* product) const {
  blas().product_destroy(product);
}

void MatrixProduct::Destroy::operator()(cublasLtMatrixLayoutOpaque_t* layout) const {
  blas().layout_destroy(layout);
}

MatrixProduct::MatrixProduct(BlasPtr blas, const Precision& precision, const ProductShape& shape)
    : blas_(std::move(blas)) {
  if (shape.m < 1 || shape.n < 1 || shape.k < 1 || shape.batches < 1) {
    throw DeviceError("a matrix product without elements");
  }
  describe(precision, shape);
  choose_algorithm();
}

MatrixProduct::Layout MatrixProduct::layout(Number number, std::int64_t rows, std::int64_t columns,
                                            int batches) {
  cublasLtMatrixLayout_t made = nullptr;
  check(cuda::blas().layout_create(&made, blas_type(number), static_cast<std::uint64_t>(rows),
                                   static_cast<std::uint64_t>(columns), rows),
        "cublasLtMatrixLayoutCreate");
  Layout layout(made);
  const std::int32_t count = batches;
  const std::int64_t stride = rows * columns;
  check(cuda::blas().layout_set(made, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &count, sizeof count),
        "cublasLtMatrixLayoutSetAttribute");
  check(cuda::blas().layout_set(made, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &stride,
                                sizeof stride),
        "cublasLtMatrixLayoutSetAttribute");
  return layout;
}

/// cuBLASLt needs a description, a layout for each matrix and a chosen algorithm. Layouts are
/// column-major; fp8 products require a transposed A, and scales in GPU memory.
void MatrixProduct::describe(const Precision& precision, const ProductShape& shape) {
  a_ = shape.transposed_a ? layout(precision.input, shape.k, shape.m, shape.batches)
                          : layout(precision.input, shape.m, shape.k, shape.batches);
  b_ = shape.transposed_b ? layout(precision.input, shape.n, shape.k, shape.batches)
                          : layout(precision.input, shape.k, shape.n, shape.batches);
  d_ = layout(precision.output, shape.m, shape.n, shape.batches);

  cublasLtMatmulDesc_t made = nullptr;
  check(cuda::blas().product_create(&made, precision.compute, CUDA_R_32F),
        "cublasLtMatmulDescCreate");
  product_.reset(made);
  const auto set = [&](cublasLtMatmulDescAttributes_t attribute, const auto& value) {
    check(cuda::blas().product_set(made, attribute, &value, sizeof value),
          "cublasLtMatmulDescSetAttribute");
  };
  const auto operation = [](bool transposed) -> std::int32_t {
    return transposed ? CUBLAS_OP_T : CUBLAS_OP_N;
  };
  set(CUBLASLT_MATMUL_DESC_TRANSA, operation(shape.transposed_a));
  set(CUBLASLT_MATMUL_DESC_TRANSB, operation(shape.transposed_b));
  if (precision.input == Number::kFp8) {
    // Accumulates in the tensor cores' registers without promotion to fp32, as training
    // does.
    set(CUBLASLT_MATMUL_DESC_FAST_ACCUM, std::int8_t{1});
    set(CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, blas_->one());
    set(CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, blas_->one());
  }
}

void MatrixProduct::choose_algorithm() {
  cublasLtMatmulPreference_t made = nullptr;
  check(cuda::blas().preference_create(&made), "cublasLtMatmulPreferenceCreate");
  const std::unique_ptr<cublasLtMatmulPreferenceOpaque_t, DestroyPreference> preference(made);
  const std::uint64_t workspace = Blas::kWorkspace;
  check(cuda::blas().preference_set(made, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &workspace,
                                    sizeof workspace),
        "cublasLtMatmulPreferenceSetAttribute");
  cublasLtMatmulHeuristicResult_t best{};
  int found = 0;
  check(cuda::blas().heuristic(blas_->handle(), product_.get(), a_.get(), b_.get(), d_.get(),
                               d_.get(), made, 1, &best, &found),
        "cublasLtMatmulAlgoGetHeuristic");
  if (found == 0) throw DeviceError("cuBLASLt has no algorithm for this product on this GPU");
  check(best.state, "cublasLtMatmulAlgoGetHeuristic");
  algorithm_ = best.algo;
}

void MatrixProduct::enqueue(const Stream& stream, CUdeviceptr a, CUdeviceptr b,
                            CUdeviceptr d) const {
  const float one = 1;
  const float zero = 0;
  void* const result = reinterpret_cast<void*>(d);
  check(cuda::blas().multiply(
            blas_->handle(), product_.get(), &one, reinterpret_cast<const void*>(a), a_.get(),
            reinterpret_cast<const void*>(b), b_.get(), &zero, result, d_.get(), result, d_.get(),
            &algorithm_, blas_->workspace(), Blas::kWorkspace, stream.handle()),
        "cublasLtMatmul");
}

}  // namespace vgsim::probe::cuda
