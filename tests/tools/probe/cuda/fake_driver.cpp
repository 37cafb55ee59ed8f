// The driver's devices and contexts.

#include <algorithm>
#include <cstdio>

#include "tests/tools/probe/cuda/fake_state.hpp"
#include "tests/tools/probe/cuda/fake_truth.hpp"

using namespace vgsim::fake;

namespace {

Context* at(CUdevice device) {
  if (device < 0 || device >= count_of_gpus()) return nullptr;
  return &machine().contexts[static_cast<std::size_t>(device)];
}

int value_of(CUdevice_attribute attribute) {
  switch (attribute) {
    case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT:
      return static_cast<int>(kMultiprocessors);
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR:
      return 9;
    case CU_DEVICE_ATTRIBUTE_CLOCK_RATE:
      return 1'980'000;
    case CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE:
      return 3'201'000;
    default:
      return 0;
  }
}

}  // namespace

CUresult cuGetErrorName(CUresult error, const char** text) {
  switch (error) {
    case CUDA_ERROR_OUT_OF_MEMORY:
      *text = "CUDA_ERROR_OUT_OF_MEMORY";
      return CUDA_SUCCESS;
    case CUDA_ERROR_INVALID_VALUE:
      *text = "CUDA_ERROR_INVALID_VALUE";
      return CUDA_SUCCESS;
    case CUDA_ERROR_INVALID_HANDLE:
      *text = "CUDA_ERROR_INVALID_HANDLE";
      return CUDA_SUCCESS;
    default:
      *text = nullptr;
      return CUDA_ERROR_INVALID_VALUE;
  }
}

CUresult cuInit(unsigned flags) {
  machine().initialized = true;
  return flags == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuDriverGetVersion(int* version) {
  *version = 13000;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int* count) {
  if (!machine().initialized) return CUDA_ERROR_NOT_INITIALIZED;
  *count = count_of_gpus();
  return CUDA_SUCCESS;
}

CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  *device = ordinal;
  return at(ordinal) == nullptr ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS;
}

CUresult cuDeviceGetName(char* name, int size, CUdevice device) {
  if (at(device) == nullptr) return CUDA_ERROR_INVALID_DEVICE;
  std::snprintf(name, static_cast<std::size_t>(size), "%s", kGpuName);
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetPCIBusId(char* address, int size, CUdevice device) {
  if (at(device) == nullptr) return CUDA_ERROR_INVALID_DEVICE;
  std::snprintf(address, static_cast<std::size_t>(size), "F000:%02X:00.0",
                0xa0U + static_cast<unsigned>(device));
  return CUDA_SUCCESS;
}

CUresult cuDeviceTotalMem(std::size_t* bytes, CUdevice device) {
  *bytes = std::size_t{80} << 30;
  return at(device) == nullptr ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS;
}

CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device) {
  *value = value_of(attribute);
  return at(device) == nullptr ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS;
}

CUresult cuDeviceCanAccessPeer(int* can, CUdevice device, CUdevice peer) {
  *can = device == peer ? 0 : 1;
  return at(device) == nullptr || at(peer) == nullptr ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
  Context* const primary = at(device);
  if (primary == nullptr) return CUDA_ERROR_INVALID_DEVICE;
  ++primary->retained;
  *context = reinterpret_cast<CUcontext>(primary);
  return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRelease(CUdevice device) {
  Context* const primary = at(device);
  if (primary == nullptr) return CUDA_ERROR_INVALID_DEVICE;
  if (primary->retained == 0) {
    misuse("cuDevicePrimaryCtxRelease: the context is not retained");
    return CUDA_ERROR_INVALID_CONTEXT;
  }
  if (--primary->retained > 0) return CUDA_SUCCESS;
  machine().report_left(primary);
  primary->reachable.clear();
  for (Context& other : machine().contexts) other.reachable.erase(primary);
  return CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext handle) {
  Context* const context = handle == nullptr ? nullptr : context_of("cuCtxSetCurrent", handle);
  if (handle != nullptr && context == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  current() = context;
  return CUDA_SUCCESS;
}

CUresult cuCtxEnablePeerAccess(CUcontext handle, unsigned flags) {
  Context* const context = needed_context("cuCtxEnablePeerAccess");
  const Context* const peer = context_of("cuCtxEnablePeerAccess", handle);
  if (context == nullptr || peer == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  if (context == peer || flags != 0) {
    misuse("cuCtxEnablePeerAccess: its own context, or flags");
    return CUDA_ERROR_INVALID_VALUE;
  }
  return context->reachable.insert(peer).second ? CUDA_SUCCESS
                                                : CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED;
}

CUresult cuCtxDisablePeerAccess(CUcontext handle) {
  Context* const context = needed_context("cuCtxDisablePeerAccess");
  const Context* const peer = context_of("cuCtxDisablePeerAccess", handle);
  if (context == nullptr || peer == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  return context->reachable.erase(peer) > 0 ? CUDA_SUCCESS : CUDA_ERROR_PEER_ACCESS_NOT_ENABLED;
}
