#include "tools/probe/cuda/networks/linear_layer.hpp"

namespace vgsim::probe::cuda {

// A tensor stored by rows is its transpose stored by columns, as cuBLASLt sees it: x is in x rows,
// y is out x rows, W is in x out.
LinearLayer::LinearLayer(const BlasPtr& blas, const Precision& precision, const Size& size)
    : forward_(blas, precision, {size.out, size.rows, size.in, true, false}),
      input_gradient_(blas, precision, {size.in, size.rows, size.out, false, false}),
      weight_gradient_(blas, precision, {size.in, size.out, size.rows, false, true}) {}

void LinearLayer::forward(const Stream& stream, CUdeviceptr x, const Parameters::Tensor& w,
                          CUdeviceptr y) const {
  forward_.enqueue(stream, w.weight, x, y);
}

void LinearLayer::backward(const Stream& stream, CUdeviceptr x, const Parameters::Tensor& w,
                           CUdeviceptr dy, CUdeviceptr dx) const {
  input_gradient_.enqueue(stream, w.weight, dy, dx);
  weight_gradient_.enqueue(stream, x, dy, w.gradient);
}

}  // namespace vgsim::probe::cuda
