#include "tools/probe/cuda/networks/convolution.hpp"

#include "tools/probe/device_layer.hpp"

namespace vgsim::probe::cuda {
namespace {

constexpr float kOne = 1;
constexpr float kZero = 0;

cudnnDataType_t dnn_type(Number number) {
  switch (number) {
    case Number::kFp32:
      return CUDNN_DATA_FLOAT;
    case Number::kFp16:
      return CUDNN_DATA_HALF;
    case Number::kBf16:
      return CUDNN_DATA_BFLOAT16;
    case Number::kFp8:
      break;
  }
  throw DeviceError("the convolutions have no tensors of fp8");
}

/// cuDNN's default for fp32 is TF32.
cudnnMathType_t math_type(Number number, Math math) {
  if (math == Math::kFp32) return CUDNN_FMA_MATH;
  return number == Number::kFp32 ? CUDNN_DEFAULT_MATH : CUDNN_TENSOR_OP_MATH;
}

void* pointer(CUdeviceptr address) { return reinterpret_cast<void*>(address); }

}  // namespace

Dnn::Dnn(const GpuPtr& gpu, const Stream& stream) : gpu_(gpu), workspace_(gpu, kWorkspace) {
  cudnnHandle_t made = nullptr;
  check(dnn().create(&made), "cudnnCreate");
  handle_.reset(made);
  check(dnn().set_stream(made, stream.handle()), "cudnnSetStream");
}

Dnn::~Dnn() { gpu_->try_make_current(); }

Convolution::Image Convolution::image(Number number, const ConvolutionShape& shape, int channels) {
  cudnnTensorDescriptor_t made = nullptr;
  check(cuda::dnn().tensor_create(&made), "cudnnCreateTensorDescriptor");
  Image image(made);
  check(cuda::dnn().tensor_set(made, CUDNN_TENSOR_NHWC, dnn_type(number), shape.images, channels,
                               shape.extent, shape.extent),
        "cudnnSetTensor4dDescriptor");
  return image;
}

Convolution::Filter Convolution::filter(Number number, const ConvolutionShape& shape) {
  cudnnFilterDescriptor_t made = nullptr;
  check(cuda::dnn().filter_create(&made), "cudnnCreateFilterDescriptor");
  Filter filter(made);
  check(cuda::dnn().filter_set(made, dnn_type(number), CUDNN_TENSOR_NHWC, shape.out, shape.in,
                               shape.filter, shape.filter),
        "cudnnSetFilter4dDescriptor");
  return filter;
}

/// cuDNN ranks algorithms for each of the three passes. The first one that fits in the
/// workspace and computes with the requested precision is used; cuDNN proposes tensor cores for
/// fp32 as well unless they are excluded.
template <class Algorithm, class Performance, class Candidates>
Convolution::Pass<Algorithm> Convolution::pass(Number number, Math math,
                                               const ConvolutionShape& shape,
                                               Candidates candidates) {
  cudnnConvolutionDescriptor_t made = nullptr;
  check(cuda::dnn().convolution_create(&made), "cudnnCreateConvolutionDescriptor");
  Pass<Algorithm> pass;
  pass.convolution.reset(made);
  const int padding = shape.filter / 2;
  check(cuda::dnn().convolution_set(made, padding, padding, 1, 1, 1, 1, CUDNN_CROSS_CORRELATION,
                                    CUDNN_DATA_FLOAT),
        "cudnnSetConvolution2dDescriptor");
  check(cuda::dnn().convolution_set_math(made, math_type(number, math)),
        "cudnnSetConvolutionMathType");

  std::array<Performance, 8> results{};
  int found = 0;
  candidates(made, static_cast<int>(results.size()), &found, results.data());
  for (int i = 0; i < found; ++i) {
    const Performance& result = results[static_cast<std::size_t>(i)];
    if (result.status != CUDNN_STATUS_SUCCESS || result.memory > Dnn::kWorkspace) continue;
    const bool tensor_cores = result.mathType == CUDNN_TENSOR_OP_MATH ||
                              result.mathType == CUDNN_TENSOR_OP_MATH_ALLOW_CONVERSION;
    if (math == Math::kFp32 && tensor_cores) continue;
    if (math == Math::kTensorCores) {
      check(cuda::dnn().convolution_set_math(made, result.mathType), "cudnnSetConvolutionMathType");
    }
    pass.algorithm = result.algo;
    pass.workspace = result.memory;
    return pass;
  }
  throw DeviceError("cuDNN has no algorithm for this convolution on this GPU");
}

Convolution::Convolution(const Dnn& dnn, Number number, Math math, const ConvolutionShape& shape)
    : dnn_(dnn),
      x_(image(number, shape, shape.in)),
      y_(image(number, shape, shape.out)),
      w_(filter(number, shape)),
      forward_(pass<cudnnConvolutionFwdAlgo_t, cudnnConvolutionFwdAlgoPerf_t>(
          number, math, shape,
          [&](cudnnConvolutionDescriptor_t convolution, int count, int* found, auto* results) {
            check(cuda::dnn().forward_algorithms(dnn_.handle(), x_.get(), w_.get(), convolution,
                                                 y_.get(), count, found, results),
                  "cudnnGetConvolutionForwardAlgorithm_v7");
          })),
      input_gradient_(pass<cudnnConvolutionBwdDataAlgo_t, cudnnConvolutionBwdDataAlgoPerf_t>(
          number, math, shape,
          [&](cudnnConvolutionDescriptor_t convolution, int count, int* found, auto* results) {
            check(
                cuda::dnn().input_gradient_algorithms(dnn_.handle(), w_.get(), y_.get(),
                                                      convolution, x_.get(), count, found, results),
                "cudnnGetConvolutionBackwardDataAlgorithm_v7");
          })),
      weight_gradient_(pass<cudnnConvolutionBwdFilterAlgo_t, cudnnConvolutionBwdFilterAlgoPerf_t>(
          number, math, shape,
          [&](cudnnConvolutionDescriptor_t convolution, int count, int* found, auto* results) {
            check(cuda::dnn().weight_gradient_algorithms(dnn_.handle(), x_.get(), y_.get(),
                                                         convolution, w_.get(), count, found,
                                                         results),
                  "cudnnGetConvolutionBackwardFilterAlgorithm_v7");
          })) {}

void Convolution::forward(CUdeviceptr x, const Parameters::Tensor& w, CUdeviceptr y) const {
  check(cuda::dnn().forward(dnn_.handle(), &kOne, x_.get(), pointer(x), w_.get(), pointer(w.weight),
                            forward_.convolution.get(), forward_.algorithm, dnn_.workspace(),
                            forward_.workspace, &kZero, y_.get(), pointer(y)),
        "cudnnConvolutionForward");
}

void Convolution::backward(CUdeviceptr x, const Parameters::Tensor& w, CUdeviceptr dy,
                           CUdeviceptr dx) const {
  check(cuda::dnn().input_gradient(dnn_.handle(), &kOne, w_.get(), pointer(w.weight), y_.get(),
                                   pointer(dy), input_gradient_.convolution.get(),
                                   input_gradient_.algorithm, dnn_.workspace(),
                                   input_gradient_.workspace, &kZero, x_.get(), pointer(dx)),
        "cudnnConvolutionBackwardData");
  check(cuda::dnn().weight_gradient(
            dnn_.handle(), &kOne, x_.get(), pointer(x), y_.get(), pointer(dy),
            weight_gradient_.convolution.get(), weight_gradient_.algorithm, dnn_.workspace(),
            weight_gradient_.workspace, &kZero, w_.get(), pointer(w.gradient)),
        "cudnnConvolutionBackwardFilter");
}

}  // namespace vgsim::probe::cuda
