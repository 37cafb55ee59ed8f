// cuDNN's convolutions: checks the arguments, and takes their time.

#include "tests/tools/probe/cuda/fake_dnn.hpp"
#include "tests/tools/probe/cuda/fake_truth.hpp"

using namespace vgsim::fake;
using namespace vgsim::fake::dnn;

namespace {

constexpr std::size_t kNeededWorkspace = std::size_t{16} << 20;
constexpr std::size_t kTooMuchWorkspace = std::size_t{4} << 30;
constexpr int kFitting = 1;  // the algorithm that needs the smaller workspace

/// The parts of one convolution.
struct Parts {
  const Handle* handle;
  const Tensor* x;
  const Tensor* w;
  const Tensor* y;
  const Convolution* convolution;
};

bool is_whole(const char* call, const Parts& parts) {
  if (!parts.handle || !parts.x || !parts.w || !parts.y || !parts.convolution) return false;
  const Tensor& x = *parts.x;
  const Tensor& w = *parts.w;
  const Tensor& y = *parts.y;
  const Convolution& convolution = *parts.convolution;
  const bool alike = x.type == w.type && x.type == y.type && x.format == CUDNN_TENSOR_NHWC &&
                     w.format == CUDNN_TENSOR_NHWC && y.format == CUDNN_TENSOR_NHWC;
  const bool sizes = x.n == y.n && x.c == w.c && y.c == w.n &&
                     y.h == x.h + 2 * convolution.padding_h - w.h + 1 &&
                     y.w == x.w + 2 * convolution.padding_w - w.w + 1;
  const bool math =
      convolution.set && (x.type == CUDNN_DATA_FLOAT ? convolution.math != CUDNN_TENSOR_OP_MATH
                                                     : convolution.math == CUDNN_TENSOR_OP_MATH);
  if (!alike || !sizes || !math) misuse(fmt::format("{}: parts that do not fit", call));
  return alike && sizes && math;
}

double rate_of(const Parts& parts) {
  if (parts.x->type == CUDNN_DATA_BFLOAT16) return kBf16Rate;
  if (parts.x->type == CUDNN_DATA_HALF) return kFp16Rate;
  return parts.convolution->math == CUDNN_FMA_MATH ? kFp32Rate : kTf32Rate;
}

/// The fastest needs a workspace that the probe does not have.
template <class Performance, class Algorithm>
cudnnStatus_t propose(const char* call, const Parts& parts, int most, int* found,
                      Performance* results, Algorithm greedy, Algorithm fitting) {
  if (!is_whole(call, parts) || most < 2) return CUDNN_STATUS_BAD_PARAM;
  *found = 2;
  results[0] = {};
  results[0].algo = greedy;
  results[0].memory = kTooMuchWorkspace;
  results[0].mathType = parts.convolution->math;
  results[1] = results[0];
  results[1].algo = fitting;
  results[1].memory = kNeededWorkspace;
  return CUDNN_STATUS_SUCCESS;
}

struct Memory {
  const void* x;
  const void* w;
  const void* y;
  const void* workspace;
  std::size_t workspace_size;
};

cudnnStatus_t convolve(const char* call, const Parts& parts, const void* alpha, const void* beta,
                       int algorithm, const Memory& memory) {
  if (!is_whole(call, parts)) return CUDNN_STATUS_BAD_PARAM;
  const int gpu = parts.handle->gpu;
  if (current_gpu(call) != gpu || !check_stream(call, gpu, parts.handle->stream)) {
    misuse(fmt::format("{}: the context or the stream of another GPU", call));
    return CUDNN_STATUS_BAD_PARAM;
  }
  if (*static_cast<const float*>(alpha) != 1 || *static_cast<const float*>(beta) != 0 ||
      algorithm != kFitting || memory.workspace_size < kNeededWorkspace) {
    misuse(fmt::format("{}: factors, an algorithm or a workspace that do not fit", call));
  }
  check_range(call, gpu, memory.x, parts.x->bytes());
  check_range(call, gpu, memory.w, parts.w->bytes());
  check_range(call, gpu, memory.y, parts.y->bytes());
  check_range(call, gpu, memory.workspace, memory.workspace_size);
  const double outputs = static_cast<double>(parts.y->n) * parts.y->c * parts.y->h * parts.y->w;
  const double flops = 2 * outputs * parts.w->c * parts.w->h * parts.w->w;
  enqueue(parts.handle->stream, flops / rate_of(parts));
  return CUDNN_STATUS_SUCCESS;
}

Parts parts_of(const char* call, cudnnHandle_t handle, cudnnTensorDescriptor_t x,
               cudnnFilterDescriptor_t w, cudnnTensorDescriptor_t y,
               cudnnConvolutionDescriptor_t convolution) {
  const Library& l = library();
  return {l.handles.find(call, handle), l.tensors.find(call, x), l.filters.find(call, w),
          l.tensors.find(call, y), l.convolutions.find(call, convolution)};
}

}  // namespace

cudnnStatus_t cudnnGetConvolutionForwardAlgorithm_v7(
    cudnnHandle_t handle, const cudnnTensorDescriptor_t x, const cudnnFilterDescriptor_t w,
    const cudnnConvolutionDescriptor_t convolution, const cudnnTensorDescriptor_t y, const int most,
    int* found, cudnnConvolutionFwdAlgoPerf_t* results) {
  constexpr const char* kCall = "cudnnGetConvolutionForwardAlgorithm_v7";
  return propose(kCall, parts_of(kCall, handle, x, w, y, convolution), most, found, results,
                 CUDNN_CONVOLUTION_FWD_ALGO_FFT, static_cast<cudnnConvolutionFwdAlgo_t>(kFitting));
}

cudnnStatus_t cudnnGetConvolutionBackwardDataAlgorithm_v7(
    cudnnHandle_t handle, const cudnnFilterDescriptor_t w, const cudnnTensorDescriptor_t y,
    const cudnnConvolutionDescriptor_t convolution, const cudnnTensorDescriptor_t x, const int most,
    int* found, cudnnConvolutionBwdDataAlgoPerf_t* results) {
  constexpr const char* kCall = "cudnnGetConvolutionBackwardDataAlgorithm_v7";
  return propose(kCall, parts_of(kCall, handle, x, w, y, convolution), most, found, results,
                 CUDNN_CONVOLUTION_BWD_DATA_ALGO_FFT,
                 static_cast<cudnnConvolutionBwdDataAlgo_t>(kFitting));
}

cudnnStatus_t cudnnGetConvolutionBackwardFilterAlgorithm_v7(
    cudnnHandle_t handle, const cudnnTensorDescriptor_t x, const cudnnTensorDescriptor_t y,
    const cudnnConvolutionDescriptor_t convolution, const cudnnFilterDescriptor_t w, const int most,
    int* found, cudnnConvolutionBwdFilterAlgoPerf_t* results) {
  constexpr const char* kCall = "cudnnGetConvolutionBackwardFilterAlgorithm_v7";
  return propose(kCall, parts_of(kCall, handle, x, w, y, convolution), most, found, results,
                 CUDNN_CONVOLUTION_BWD_FILTER_ALGO_FFT,
                 static_cast<cudnnConvolutionBwdFilterAlgo_t>(kFitting));
}

cudnnStatus_t cudnnConvolutionForward(cudnnHandle_t handle, const void* alpha,
                                      const cudnnTensorDescriptor_t x_shape, const void* x,
                                      const cudnnFilterDescriptor_t w_shape, const void* w,
                                      const cudnnConvolutionDescriptor_t convolution,
                                      cudnnConvolutionFwdAlgo_t algorithm, void* workspace,
                                      std::size_t workspace_size, const void* beta,
                                      const cudnnTensorDescriptor_t y_shape, void* y) {
  constexpr const char* kCall = "cudnnConvolutionForward";
  return convolve(kCall, parts_of(kCall, handle, x_shape, w_shape, y_shape, convolution), alpha,
                  beta, algorithm, {x, w, y, workspace, workspace_size});
}

cudnnStatus_t cudnnConvolutionBackwardData(cudnnHandle_t handle, const void* alpha,
                                           const cudnnFilterDescriptor_t w_shape, const void* w,
                                           const cudnnTensorDescriptor_t y_shape, const void* y,
                                           const cudnnConvolutionDescriptor_t convolution,
                                           cudnnConvolutionBwdDataAlgo_t algorithm, void* workspace,
                                           std::size_t workspace_size, const void* beta,
                                           const cudnnTensorDescriptor_t x_shape, void* x) {
  constexpr const char* kCall = "cudnnConvolutionBackwardData";
  return convolve(kCall, parts_of(kCall, handle, x_shape, w_shape, y_shape, convolution), alpha,
                  beta, algorithm, {x, w, y, workspace, workspace_size});
}

cudnnStatus_t cudnnConvolutionBackwardFilter(cudnnHandle_t handle, const void* alpha,
                                             const cudnnTensorDescriptor_t x_shape, const void* x,
                                             const cudnnTensorDescriptor_t y_shape, const void* y,
                                             const cudnnConvolutionDescriptor_t convolution,
                                             cudnnConvolutionBwdFilterAlgo_t algorithm,
                                             void* workspace, std::size_t workspace_size,
                                             const void* beta,
                                             const cudnnFilterDescriptor_t w_shape, void* w) {
  constexpr const char* kCall = "cudnnConvolutionBackwardFilter";
  return convolve(kCall, parts_of(kCall, handle, x_shape, w_shape, y_shape, convolution), alpha,
                  beta, algorithm, {x, w, y, workspace, workspace_size});
}
