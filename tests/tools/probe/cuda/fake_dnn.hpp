#pragma once

#include <cudnn.h>

#include <cstddef>

#include "tests/tools/probe/cuda/registry.hpp"

/// State of the fake cuDNN.
namespace vgsim::fake::dnn {

struct Handle {
  int gpu;
  CUstream stream = nullptr;
};

/// A tensor of n images of c channels, or a filter from c to n channels.
struct Tensor {
  cudnnDataType_t type = CUDNN_DATA_FLOAT;
  cudnnTensorFormat_t format = CUDNN_TENSOR_NCHW;
  int n = 0;
  int c = 0;
  int h = 0;
  int w = 0;

  [[nodiscard]] std::size_t bytes() const {
    const std::size_t element = type == CUDNN_DATA_FLOAT ? 4 : 2;
    return static_cast<std::size_t>(n) * static_cast<std::size_t>(c) * static_cast<std::size_t>(h) *
           static_cast<std::size_t>(w) * element;
  }
};

struct Convolution {
  int padding_h = 0;
  int padding_w = 0;
  bool set = false;
  cudnnMathType_t math = CUDNN_DEFAULT_MATH;
};

struct Library {
  ~Library() {
    report_live(handles);
    report_live(tensors);
    report_live(filters);
    report_live(convolutions);
  }
  Registry<Handle, cudnnHandle_t> handles{"cudnnHandle_t"};
  Registry<Tensor, cudnnTensorDescriptor_t> tensors{"cudnnTensorDescriptor_t"};
  Registry<Tensor, cudnnFilterDescriptor_t> filters{"cudnnFilterDescriptor_t"};
  Registry<Convolution, cudnnConvolutionDescriptor_t> convolutions{"cudnnConvolutionDescriptor_t"};
};

[[nodiscard]] Library& library();

}  // namespace vgsim::fake::dnn
