#pragma once

#include <cstdint>

#include "tools/probe/cuda/matrix_product.hpp"
#include "tools/probe/cuda/networks/parameters.hpp"

namespace vgsim::probe::cuda {

/// y = x W^T for `rows` rows of x, W of [out, in], and its two gradients.
class LinearLayer {
 public:
  struct Size {
    std::int64_t rows = 0;
    std::int64_t in = 0;
    std::int64_t out = 0;
  };

  /// Throws DeviceError.
  LinearLayer(const BlasPtr& blas, const Precision& precision, const Size& size);

  void forward(const Stream& stream, CUdeviceptr x, const Parameters::Tensor& w,
               CUdeviceptr y) const;
  /// The gradients of the input, into `dx`, and of the weights.
  void backward(const Stream& stream, CUdeviceptr x, const Parameters::Tensor& w, CUdeviceptr dy,
                CUdeviceptr dx) const;

 private:
  MatrixProduct forward_;
  MatrixProduct input_gradient_;
  MatrixProduct weight_gradient_;
};

}  // namespace vgsim::probe::cuda
