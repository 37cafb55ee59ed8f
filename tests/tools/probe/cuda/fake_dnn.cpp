// cuDNN's handles and descriptors.

#include "tests/tools/probe/cuda/fake_dnn.hpp"

using namespace vgsim::fake;
using namespace vgsim::fake::dnn;

namespace vgsim::fake::dnn {

Library& library() {
  static Library only;
  return only;
}

}  // namespace vgsim::fake::dnn

namespace {

template <class Objects, class Handle>
cudnnStatus_t destroy(const char* call, Objects& objects, Handle handle) {
  if (objects.find(call, handle) == nullptr) return CUDNN_STATUS_BAD_PARAM;
  objects.destroy(handle);
  return CUDNN_STATUS_SUCCESS;
}

}  // namespace

const char* cudnnGetErrorString(cudnnStatus_t status) {
  return status == CUDNN_STATUS_BAD_PARAM ? "CUDNN_STATUS_BAD_PARAM" : "CUDNN_STATUS";
}

cudnnStatus_t cudnnCreate(cudnnHandle_t* handle) {
  const int gpu = current_gpu("cudnnCreate");
  if (gpu == kNoGpu) return CUDNN_STATUS_NOT_INITIALIZED;
  *handle = library().handles.make({gpu});
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnDestroy(cudnnHandle_t handle) {
  const Handle* const found = library().handles.find("cudnnDestroy", handle);
  if (found != nullptr && current_gpu("cudnnDestroy") != found->gpu) {
    misuse("cudnnDestroy: the context of another GPU is current");
  }
  return destroy("cudnnDestroy", library().handles, handle);
}

cudnnStatus_t cudnnSetStream(cudnnHandle_t handle, cudaStream_t stream) {
  Handle* const found = library().handles.find("cudnnSetStream", handle);
  if (found == nullptr || !check_stream("cudnnSetStream", found->gpu, stream)) {
    return CUDNN_STATUS_BAD_PARAM;
  }
  found->stream = stream;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnCreateTensorDescriptor(cudnnTensorDescriptor_t* tensor) {
  *tensor = library().tensors.make({});
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnDestroyTensorDescriptor(cudnnTensorDescriptor_t tensor) {
  return destroy("cudnnDestroyTensorDescriptor", library().tensors, tensor);
}

cudnnStatus_t cudnnSetTensor4dDescriptor(cudnnTensorDescriptor_t handle, cudnnTensorFormat_t format,
                                         cudnnDataType_t type, int n, int c, int h, int w) {
  Tensor* const tensor = library().tensors.find("cudnnSetTensor4dDescriptor", handle);
  if (tensor == nullptr) return CUDNN_STATUS_BAD_PARAM;
  *tensor = {type, format, n, c, h, w};
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnCreateFilterDescriptor(cudnnFilterDescriptor_t* filter) {
  *filter = library().filters.make({});
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnDestroyFilterDescriptor(cudnnFilterDescriptor_t filter) {
  return destroy("cudnnDestroyFilterDescriptor", library().filters, filter);
}

cudnnStatus_t cudnnSetFilter4dDescriptor(cudnnFilterDescriptor_t handle, cudnnDataType_t type,
                                         cudnnTensorFormat_t format, int k, int c, int h, int w) {
  Tensor* const filter = library().filters.find("cudnnSetFilter4dDescriptor", handle);
  if (filter == nullptr) return CUDNN_STATUS_BAD_PARAM;
  *filter = {type, format, k, c, h, w};
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnCreateConvolutionDescriptor(cudnnConvolutionDescriptor_t* convolution) {
  *convolution = library().convolutions.make({});
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnDestroyConvolutionDescriptor(cudnnConvolutionDescriptor_t convolution) {
  return destroy("cudnnDestroyConvolutionDescriptor", library().convolutions, convolution);
}

cudnnStatus_t cudnnSetConvolution2dDescriptor(cudnnConvolutionDescriptor_t handle, int padding_h,
                                              int padding_w, int stride_h, int stride_w,
                                              int dilation_h, int dilation_w,
                                              cudnnConvolutionMode_t mode,
                                              cudnnDataType_t compute) {
  Convolution* const found = library().convolutions.find("cudnnSetConvolution2dDescriptor", handle);
  if (found == nullptr) return CUDNN_STATUS_BAD_PARAM;
  if (stride_h != 1 || stride_w != 1 || dilation_h != 1 || dilation_w != 1 ||
      mode != CUDNN_CROSS_CORRELATION || compute != CUDNN_DATA_FLOAT) {
    misuse("cudnnSetConvolution2dDescriptor: another convolution than that of the probe");
  }
  found->padding_h = padding_h;
  found->padding_w = padding_w;
  found->set = true;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetConvolutionMathType(cudnnConvolutionDescriptor_t handle,
                                          cudnnMathType_t math) {
  Convolution* const found = library().convolutions.find("cudnnSetConvolutionMathType", handle);
  if (found == nullptr) return CUDNN_STATUS_BAD_PARAM;
  found->math = math;
  return CUDNN_STATUS_SUCCESS;
}
