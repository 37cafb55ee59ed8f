#pragma once

#include <cuda.h>

#include <memory>

namespace vgsim::probe::cuda {

/// Kernels that the driver compiles from PTX for the GPU of the current context. The destructor
/// makes that context current.
class KernelModule {
 public:
  /// Throws DeviceError.
  explicit KernelModule(const unsigned char* ptx);

  [[nodiscard]] CUfunction function(const char* name) const;

 private:
  struct Unload {
    void operator()(CUmodule loaded) const;
  };

  std::unique_ptr<CUmod_st, Unload> module_;
};

}  // namespace vgsim::probe::cuda
