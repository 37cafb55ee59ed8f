// cuBLASLt's products: checks the arguments, and takes their time.

#include <cstring>

#include "tests/tools/probe/cuda/fake_blas.hpp"
#include "tests/tools/probe/cuda/fake_truth.hpp"

using namespace vgsim::fake;
using namespace vgsim::fake::blas;

namespace {

constexpr std::size_t kNeededWorkspace = std::size_t{32} << 20;
constexpr std::size_t kAlignment = 256;  // minimum alignment of the preferences by default

/// The parts of one product.
struct Parts {
  const Product* product;
  const Layout* a;
  const Layout* b;
  const Layout* c;
  const Layout* d;

  [[nodiscard]] bool whole() const { return product && a && b && c && d; }
  [[nodiscard]] bool transposed_a() const { return product->transposed_a == CUBLAS_OP_T; }
  [[nodiscard]] bool transposed_b() const { return product->transposed_b == CUBLAS_OP_T; }
  [[nodiscard]] std::size_t m() const { return transposed_a() ? a->columns : a->rows; }
  [[nodiscard]] std::size_t k() const { return transposed_a() ? a->rows : a->columns; }
  [[nodiscard]] std::size_t n() const { return transposed_b() ? b->rows : b->columns; }
};

Parts parts_of(const char* call, cublasLtMatmulDesc_t product, cublasLtMatrixLayout_t a,
               cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d) {
  const auto& layouts = library().layouts;
  return {library().products.find(call, product), layouts.find(call, a), layouts.find(call, b),
          layouts.find(call, c), layouts.find(call, d)};
}

bool check_layout(const char* name, const Layout& layout, const Layout& first) {
  const std::size_t matrix = layout.leading * layout.columns;
  const bool good = layout.leading >= layout.rows && layout.batches == first.batches &&
                    (layout.batches == 1 || static_cast<std::size_t>(layout.stride) >= matrix);
  if (!good) misuse(fmt::format("cublasLtMatmul: leading dimension or batches of {}", name));
  return good;
}

bool check_types(const Parts& parts) {
  const bool eight = parts.a->type == CUDA_R_8F_E4M3;
  const cudaDataType out = eight ? CUDA_R_16BF : parts.a->type;
  const bool types = parts.b->type == parts.a->type && parts.c->type == out && parts.d->type == out;
  const bool tf32 = parts.product->compute == CUBLAS_COMPUTE_32F_FAST_TF32;
  const bool compute =
      tf32 ? parts.a->type == CUDA_R_32F : parts.product->compute == CUBLAS_COMPUTE_32F;
  // Products of 8 bits have one layout, and sizes in whole packs of 16 bytes.
  const bool layout = !eight || (parts.transposed_a() && !parts.transposed_b() &&
                                 parts.m() % 16 == 0 && parts.k() % 16 == 0 && parts.n() % 16 == 0);
  const bool scales = eight || (parts.product->a_scale == nullptr &&
                                parts.product->b_scale == nullptr && parts.product->fast == 0);
  if (!types || !compute || !layout || !scales) misuse("cublasLtMatmul: types that do not fit");
  return types && compute && layout && scales;
}

bool check_shape(const Parts& parts) {
  const std::size_t k_of_b = parts.transposed_b() ? parts.b->columns : parts.b->rows;
  bool good = k_of_b == parts.k();
  for (const Layout* const out : {parts.c, parts.d}) {
    good = good && out->rows == parts.m() && out->columns == parts.n();
  }
  if (!good) misuse("cublasLtMatmul: sizes that do not fit");
  return good && check_layout("A", *parts.a, *parts.a) && check_layout("B", *parts.b, *parts.a) &&
         check_layout("C", *parts.c, *parts.a) && check_layout("D", *parts.d, *parts.a);
}

double rate_of(const Parts& parts) {
  switch (parts.a->type) {
    case CUDA_R_16F:
      return kFp16Rate;
    case CUDA_R_16BF:
      return kBf16Rate;
    case CUDA_R_8F_E4M3:
      return kFp8Rate;
    default:
      return parts.product->compute == CUBLAS_COMPUTE_32F ? kFp32Rate : kTf32Rate;
  }
}

/// An algorithm is good for the sizes that it was asked for.
cublasLtMatmulAlgo_t algorithm_for(const Parts& parts) {
  return {{parts.m(), parts.n(), parts.k(), static_cast<std::uint64_t>(parts.a->batches)}};
}

bool is_one(const void* number, float expected) {
  return *static_cast<const float*>(number) == expected;
}

}  // namespace

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t handle, cublasLtMatmulDesc_t product,
                                              cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                              cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                              cublasLtMatmulPreference_t preference_handle,
                                              int asked, cublasLtMatmulHeuristicResult_t* results,
                                              int* found) {
  constexpr const char* kCall = "cublasLtMatmulAlgoGetHeuristic";
  const Parts parts = parts_of(kCall, product, a, b, c, d);
  const Preference* const preference = library().preferences.find(kCall, preference_handle);
  if (library().handles.find(kCall, handle) == nullptr || preference == nullptr || !parts.whole() ||
      asked < 1 || !check_shape(parts) || !check_types(parts)) {
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  *found = preference->workspace >= kNeededWorkspace ? 1 : 0;
  if (*found == 1) {
    results[0] = {};
    results[0].algo = algorithm_for(parts);
    results[0].workspaceSize = kNeededWorkspace;
    results[0].state = CUBLAS_STATUS_SUCCESS;
  }
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t product,
                              const void* alpha, const void* a, cublasLtMatrixLayout_t a_layout,
                              const void* b, cublasLtMatrixLayout_t b_layout, const void* beta,
                              const void* c, cublasLtMatrixLayout_t c_layout, void* d,
                              cublasLtMatrixLayout_t d_layout,
                              const cublasLtMatmulAlgo_t* algorithm, void* workspace,
                              std::size_t workspace_size, cudaStream_t stream) {
  constexpr const char* kCall = "cublasLtMatmul";
  const Handle* const found = library().handles.find(kCall, handle);
  const Parts parts = parts_of(kCall, product, a_layout, b_layout, c_layout, d_layout);
  if (found == nullptr || !parts.whole() || !check_shape(parts) || !check_types(parts)) {
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  if (current_gpu(kCall) != found->gpu || !check_stream(kCall, found->gpu, stream)) {
    misuse("cublasLtMatmul: a context or a stream of another GPU");
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  const cublasLtMatmulAlgo_t expected = algorithm_for(parts);
  if (std::memcmp(algorithm, &expected, sizeof expected) != 0 ||
      workspace_size < kNeededWorkspace || !is_one(alpha, 1) || !is_one(beta, 0)) {
    misuse("cublasLtMatmul: an algorithm, a workspace or factors that do not fit");
  }
  check_range(kCall, found->gpu, workspace, workspace_size);
  check_range(kCall, found->gpu, a, parts.a->bytes());
  check_range(kCall, found->gpu, b, parts.b->bytes());
  check_range(kCall, found->gpu, c, parts.c->bytes());
  check_range(kCall, found->gpu, d, parts.d->bytes());
  for (const void* const scale : {parts.product->a_scale, parts.product->b_scale}) {
    if (scale != nullptr) check_range(kCall, found->gpu, scale, sizeof(float));
  }
  for (const void* const at : {a, b, c, static_cast<const void*>(d)}) {
    if (reinterpret_cast<std::uintptr_t>(at) % kAlignment != 0) misuse("cublasLtMatmul: alignment");
  }
  const double flops = 2.0 * static_cast<double>(parts.m() * parts.n() * parts.k()) *
                       static_cast<double>(parts.a->batches);
  enqueue(stream, flops / rate_of(parts));
  return CUBLAS_STATUS_SUCCESS;
}
