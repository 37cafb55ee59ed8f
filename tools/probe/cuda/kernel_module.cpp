#include "tools/probe/cuda/kernel_module.hpp"

#include "tools/probe/cuda/libraries/driver_api.hpp"

namespace vgsim::probe::cuda {

KernelModule::KernelModule(const unsigned char* ptx) {
  CUmodule loaded = nullptr;
  check(driver().module_load(&loaded, ptx), "cuModuleLoadData");
  module_.reset(loaded);
}

CUfunction KernelModule::function(const char* name) const {
  CUfunction found = nullptr;
  check(driver().module_function(&found, module_.get(), name), "cuModuleGetFunction");
  return found;
}

void KernelModule::Unload::operator()(CUmodule loaded) const { driver().module_unload(loaded); }

}  // namespace vgsim::probe::cuda
