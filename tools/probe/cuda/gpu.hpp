#pragma once

#include <cuda.h>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "tools/probe/cuda/kernel_module.hpp"

namespace vgsim::probe::cuda {

/// A GPU with its primary context, which is released with this object. Objects in the context
/// hold a GpuPtr, so that the context is released last.
class Gpu {
 public:
  /// Throws DeviceError.
  explicit Gpu(std::size_t ordinal);
  Gpu(const Gpu&) = delete;
  Gpu& operator=(const Gpu&) = delete;
  ~Gpu();

  /// Makes its context that of the calling thread.
  void make_current() const;
  /// The same, ignoring errors.
  void try_make_current() const noexcept;

  [[nodiscard]] std::size_t ordinal() const { return ordinal_; }
  [[nodiscard]] CUdevice device() const { return device_; }
  [[nodiscard]] CUcontext context() const;
  [[nodiscard]] unsigned multiprocessors() const { return multiprocessors_; }
  [[nodiscard]] int attribute(CUdevice_attribute attribute) const;

  /// A kernel of kernels.cu. Throws DeviceError, also for GPUs that are too old.
  [[nodiscard]] CUfunction kernel(const char* name) const;

 private:
  struct Release {
    CUdevice device;
    void operator()(CUcontext context) const;
  };

  std::size_t ordinal_;
  CUdevice device_;
  unsigned multiprocessors_;
  std::unique_ptr<CUctx_st, Release> context_;
  mutable std::unique_ptr<const KernelModule> kernels_;  ///< loaded at the first use
};

using GpuPtr = std::shared_ptr<const Gpu>;

class Communicator;

/// The communicator of the last collective call: creating one takes seconds, and the sizes of a
/// sweep share it.
struct KeptCommunicator {
  std::string key;  ///< of its GPUs and settings
  std::shared_ptr<Communicator> communicator;
};

/// The GPUs of a machine, each opened at its first use.
class Gpus {
 public:
  explicit Gpus(std::size_t count) : gpus_(count) {}

  [[nodiscard]] std::size_t count() const { return gpus_.size(); }

  /// Throws DeviceError for an unknown GPU.
  [[nodiscard]] GpuPtr at(std::size_t ordinal);

  [[nodiscard]] KeptCommunicator& kept_communicator() { return kept_; }

 private:
  std::vector<GpuPtr> gpus_;
  KeptCommunicator kept_;
};

}  // namespace vgsim::probe::cuda
