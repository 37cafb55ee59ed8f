#pragma once

#include <cudnn.h>

#include <array>
#include <cstdint>
#include <memory>

#include "tools/probe/cuda/device_memory.hpp"
#include "tools/probe/cuda/libraries/dnn_api.hpp"
#include "tools/probe/cuda/networks/parameters.hpp"

namespace vgsim::probe::cuda {

/// cuDNN on a GPU, with the workspace that its convolutions share. They run one after another
/// in one stream.
class Dnn {
 public:
  /// Throws DeviceError.
  Dnn(const GpuPtr& gpu, const Stream& stream);
  Dnn(const Dnn&) = delete;
  Dnn& operator=(const Dnn&) = delete;
  ~Dnn();

  static constexpr std::size_t kWorkspace = std::size_t{256} << 20;

  [[nodiscard]] cudnnHandle_t handle() const { return handle_.get(); }
  [[nodiscard]] void* workspace() const { return workspace_.pointer(); }

 private:
  struct Destroy {
    void operator()(cudnnHandle_t handle) const { dnn().destroy(handle); }
  };

  GpuPtr gpu_;
  DeviceMemory workspace_;
  std::unique_ptr<cudnnContext, Destroy> handle_;
};

/// Convolution of square images of [images, height, width, channels] with an odd square filter
/// of [out, height, width, in], padded to equal output size; without bias.
struct ConvolutionShape {
  int images = 0;
  int extent = 0;
  int in = 0;
  int out = 0;
  int filter = 1;
};

/// Whether tensor cores are allowed: with 16-bit numbers, and with fp32 numbers as TF32.
enum class Math { kFp32, kTensorCores };

class Convolution {
 public:
  /// Throws DeviceError.
  Convolution(const Dnn& dnn, Number number, Math math, const ConvolutionShape& shape);

  // The stream's context must be current in these calls.

  void forward(CUdeviceptr x, const Parameters::Tensor& w, CUdeviceptr y) const;
  /// The gradients of the input, into `dx`, and of the weights.
  void backward(CUdeviceptr x, const Parameters::Tensor& w, CUdeviceptr dy, CUdeviceptr dx) const;

 private:
  struct Destroy {
    void operator()(cudnnTensorStruct* tensor) const { cuda::dnn().tensor_destroy(tensor); }
    void operator()(cudnnFilterStruct* filter) const { cuda::dnn().filter_destroy(filter); }
    void operator()(cudnnConvolutionStruct* convolution) const {
      cuda::dnn().convolution_destroy(convolution);
    }
  };
  using Image = std::unique_ptr<cudnnTensorStruct, Destroy>;
  using Filter = std::unique_ptr<cudnnFilterStruct, Destroy>;

  /// One of the three passes: its algorithm and math type.
  template <class Algorithm>
  struct Pass {
    std::unique_ptr<cudnnConvolutionStruct, Destroy> convolution;
    Algorithm algorithm{};
    std::size_t workspace = 0;
  };

  [[nodiscard]] static Image image(Number number, const ConvolutionShape& shape, int channels);
  [[nodiscard]] static Filter filter(Number number, const ConvolutionShape& shape);
  /// Calls `candidates(convolution, count, found, results)` and returns the first that fits.
  template <class Algorithm, class Performance, class Candidates>
  [[nodiscard]] static Pass<Algorithm> pass(Number number, Math math, const ConvolutionShape& shape,
                                            Candidates candidates);

  const Dnn& dnn_;
  Image x_;
  Image y_;
  Filter w_;
  Pass<cudnnConvolutionFwdAlgo_t> forward_;
  Pass<cudnnConvolutionBwdDataAlgo_t> input_gradient_;
  Pass<cudnnConvolutionBwdFilterAlgo_t> weight_gradient_;
};

}  // namespace vgsim::probe::cuda
