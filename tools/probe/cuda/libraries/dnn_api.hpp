#pragma once

#include <cudnn.h>

#include "tools/probe/cuda/libraries/shared_library.hpp"

namespace vgsim::probe::cuda {

/// The functions of cuDNN that the probe calls.
struct DnnApi {
  SharedLibrary library;

  decltype(&cudnnGetErrorString) error_string = VGSIM_SYMBOL(library, cudnnGetErrorString);
  decltype(&cudnnCreate) create = VGSIM_SYMBOL(library, cudnnCreate);
  decltype(&cudnnDestroy) destroy = VGSIM_SYMBOL(library, cudnnDestroy);
  decltype(&cudnnSetStream) set_stream = VGSIM_SYMBOL(library, cudnnSetStream);

  decltype(&cudnnCreateTensorDescriptor) tensor_create =
      VGSIM_SYMBOL(library, cudnnCreateTensorDescriptor);
  decltype(&cudnnDestroyTensorDescriptor) tensor_destroy =
      VGSIM_SYMBOL(library, cudnnDestroyTensorDescriptor);
  decltype(&cudnnSetTensor4dDescriptor) tensor_set =
      VGSIM_SYMBOL(library, cudnnSetTensor4dDescriptor);
  decltype(&cudnnCreateFilterDescriptor) filter_create =
      VGSIM_SYMBOL(library, cudnnCreateFilterDescriptor);
  decltype(&cudnnDestroyFilterDescriptor) filter_destroy =
      VGSIM_SYMBOL(library, cudnnDestroyFilterDescriptor);
  decltype(&cudnnSetFilter4dDescriptor) filter_set =
      VGSIM_SYMBOL(library, cudnnSetFilter4dDescriptor);
  decltype(&cudnnCreateConvolutionDescriptor) convolution_create =
      VGSIM_SYMBOL(library, cudnnCreateConvolutionDescriptor);
  decltype(&cudnnDestroyConvolutionDescriptor) convolution_destroy =
      VGSIM_SYMBOL(library, cudnnDestroyConvolutionDescriptor);
  decltype(&cudnnSetConvolution2dDescriptor) convolution_set =
      VGSIM_SYMBOL(library, cudnnSetConvolution2dDescriptor);
  decltype(&cudnnSetConvolutionMathType) convolution_set_math =
      VGSIM_SYMBOL(library, cudnnSetConvolutionMathType);

  decltype(&cudnnGetConvolutionForwardAlgorithm_v7) forward_algorithms =
      VGSIM_SYMBOL(library, cudnnGetConvolutionForwardAlgorithm_v7);
  decltype(&cudnnGetConvolutionBackwardDataAlgorithm_v7) input_gradient_algorithms =
      VGSIM_SYMBOL(library, cudnnGetConvolutionBackwardDataAlgorithm_v7);
  decltype(&cudnnGetConvolutionBackwardFilterAlgorithm_v7) weight_gradient_algorithms =
      VGSIM_SYMBOL(library, cudnnGetConvolutionBackwardFilterAlgorithm_v7);
  decltype(&cudnnConvolutionForward) forward = VGSIM_SYMBOL(library, cudnnConvolutionForward);
  decltype(&cudnnConvolutionBackwardData) input_gradient =
      VGSIM_SYMBOL(library, cudnnConvolutionBackwardData);
  decltype(&cudnnConvolutionBackwardFilter) weight_gradient =
      VGSIM_SYMBOL(library, cudnnConvolutionBackwardFilter);
};

/// cuDNN, loaded at the first call. Throws DeviceError where it is not there.
[[nodiscard]] const DnnApi& dnn();

/// Throws DeviceError where `call` did not succeed.
void check(cudnnStatus_t status, const char* call);

}  // namespace vgsim::probe::cuda
