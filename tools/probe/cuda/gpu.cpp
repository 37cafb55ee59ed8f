#include "tools/probe/cuda/gpu.hpp"

#include <fmt/format.h>

#include "tools/probe/cuda/embedded_ptx.hpp"
#include "tools/probe/cuda/libraries/driver_api.hpp"
#include "tools/probe/device_layer.hpp"

namespace vgsim::probe::cuda {
namespace {

CUdevice device_at(std::size_t ordinal) {
  CUdevice device = 0;
  check(driver().device_get(&device, static_cast<int>(ordinal)), "cuDeviceGet");
  return device;
}

CUcontext retain(CUdevice device) {
  CUcontext context = nullptr;
  check(driver().context_retain(&context, device), "cuDevicePrimaryCtxRetain");
  return context;
}

}  // namespace

Gpu::Gpu(std::size_t ordinal)
    : ordinal_(ordinal),
      device_(device_at(ordinal)),
      multiprocessors_(static_cast<unsigned>(attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT))),
      context_(retain(device_), Release{device_}) {}

Gpu::~Gpu() { try_make_current(); }

void Gpu::make_current() const { check(driver().context_set(context()), "cuCtxSetCurrent"); }

void Gpu::try_make_current() const noexcept { driver().context_set(context()); }

CUcontext Gpu::context() const { return context_.get(); }

int Gpu::attribute(CUdevice_attribute attribute) const {
  int value = 0;
  check(driver().device_attribute(&value, attribute, device_), "cuDeviceGetAttribute");
  return value;
}

CUfunction Gpu::kernel(const char* name) const {
  if (!kernels_) {
    make_current();
    kernels_ = std::make_unique<const KernelModule>(kKernelsPtx);
  }
  return kernels_->function(name);
}

void Gpu::Release::operator()(CUcontext) const { driver().context_release(device); }

GpuPtr Gpus::at(std::size_t ordinal) {
  if (ordinal >= gpus_.size()) throw DeviceError(fmt::format("there is no GPU {}", ordinal));
  GpuPtr& gpu = gpus_[ordinal];
  if (!gpu) gpu = std::make_shared<const Gpu>(ordinal);
  return gpu;
}

}  // namespace vgsim::probe::cuda
