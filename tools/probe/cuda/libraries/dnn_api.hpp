#pragma once

#include <cudnn.h>

#include "tools/probe/cuda/libraries/shared_library.hpp"

namespace vgsim::probe::cuda {

/// The functions of cuDNN that the probe calls.
struct DnnApi {
  SharedLibrary library;

  VGSIM_FUNCTION(error_string, cudnnGetErrorString);
  VGSIM_FUNCTION(create, cudnnCreate);
  VGSIM_FUNCTION(destroy, cudnnDestroy);
  VGSIM_FUNCTION(set_stream, cudnnSetStream);

  VGSIM_FUNCTION(tensor_create, cudnnCreateTensorDescriptor);
  VGSIM_FUNCTION(tensor_destroy, cudnnDestroyTensorDescriptor);
  VGSIM_FUNCTION(tensor_set, cudnnSetTensor4dDescriptor);
  VGSIM_FUNCTION(filter_create, cudnnCreateFilterDescriptor);
  VGSIM_FUNCTION(filter_destroy, cudnnDestroyFilterDescriptor);
  VGSIM_FUNCTION(filter_set, cudnnSetFilter4dDescriptor);
  VGSIM_FUNCTION(convolution_create, cudnnCreateConvolutionDescriptor);
  VGSIM_FUNCTION(convolution_destroy, cudnnDestroyConvolutionDescriptor);
  VGSIM_FUNCTION(convolution_set, cudnnSetConvolution2dDescriptor);
  VGSIM_FUNCTION(convolution_set_math, cudnnSetConvolutionMathType);

  VGSIM_FUNCTION(forward_algorithms, cudnnGetConvolutionForwardAlgorithm_v7);
  VGSIM_FUNCTION(input_gradient_algorithms, cudnnGetConvolutionBackwardDataAlgorithm_v7);
  VGSIM_FUNCTION(weight_gradient_algorithms, cudnnGetConvolutionBackwardFilterAlgorithm_v7);
  VGSIM_FUNCTION(forward, cudnnConvolutionForward);
  VGSIM_FUNCTION(input_gradient, cudnnConvolutionBackwardData);
  VGSIM_FUNCTION(weight_gradient, cudnnConvolutionBackwardFilter);
};

/// cuDNN, loaded at the first call. Throws DeviceError if it is missing.
[[nodiscard]] const DnnApi& dnn();

/// Throws DeviceError if `call` failed.
void check(cudnnStatus_t status, const char* call);

}  // namespace vgsim::probe::cuda
