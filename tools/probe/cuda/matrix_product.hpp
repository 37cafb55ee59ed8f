#pragma once

#include <cublasLt.h>

#include <cstdint>
#include <memory>

#include "tools/probe/cuda/device_memory.hpp"
#include "tools/probe/cuda/libraries/blas_api.hpp"
#include "tools/probe/cuda/precision.hpp"
#include "tools/probe/cuda/stream.hpp"

namespace vgsim::probe::cuda {

/// cuBLASLt on a GPU, with the workspace and the scale 1 that its products share. They run one
/// after another in one stream.
class Blas {
 public:
  /// Throws DeviceError.
  explicit Blas(const GpuPtr& gpu);
  Blas(const Blas&) = delete;
  Blas& operator=(const Blas&) = delete;
  ~Blas();

  static constexpr std::size_t kWorkspace = std::size_t{64} << 20;

  [[nodiscard]] cublasLtHandle_t handle() const { return handle_; }
  [[nodiscard]] void* workspace() const { return workspace_.pointer(); }
  [[nodiscard]] const void* one() const { return one_.pointer(); }

 private:
  GpuPtr gpu_;
  DeviceMemory workspace_;
  DeviceMemory one_;
  cublasLtHandle_t handle_ = nullptr;
};

using BlasPtr = std::shared_ptr<const Blas>;

/// D = op(A) op(B), with op(A) of m x k and op(B) of k x n elements, column-major without gaps;
/// `batches` of them in sequence.
struct ProductShape {
  std::int64_t m = 0;
  std::int64_t n = 0;
  std::int64_t k = 0;
  bool transposed_a = false;  ///< A is stored as k x m
  bool transposed_b = false;  ///< B is stored as n x k
  int batches = 1;
};

/// Products of one shape, by cuBLASLt's preferred algorithm.
class MatrixProduct {
 public:
  /// Throws DeviceError, also if cuBLASLt has no algorithm.
  MatrixProduct(BlasPtr blas, const Precision& precision, const ProductShape& shape);

  /// Queues a product. The addresses are multiples of 256; the stream's context must be
  /// current.
  void enqueue(const Stream& stream, CUdeviceptr a, CUdeviceptr b, CUdeviceptr d) const;

 private:
  struct Destroy {
    void operator()(cublasLtMatmulDescOpaque_t* product) const;
    void operator()(cublasLtMatrixLayoutOpaque_t* layout) const;
  };
  using Layout = std::unique_ptr<cublasLtMatrixLayoutOpaque_t, Destroy>;

  [[nodiscard]] static Layout layout(Number number, std::int64_t rows, std::int64_t columns,
                                     int batches);
  void describe(const Precision& precision, const ProductShape& shape);
  void choose_algorithm();

  BlasPtr blas_;
  std::unique_ptr<cublasLtMatmulDescOpaque_t, Destroy> product_;
  Layout a_;
  Layout b_;
  Layout d_;
  cublasLtMatmulAlgo_t algorithm_{};
};

}  // namespace vgsim::probe::cuda
