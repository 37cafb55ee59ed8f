#pragma once

#include <cuda.h>

#include "tools/probe/cuda/libraries/shared_library.hpp"

namespace vgsim::probe::cuda {

/// The functions of the CUDA driver that the probe calls.
struct DriverApi {
  SharedLibrary library;

  decltype(&cuGetErrorName) error_name = VGSIM_SYMBOL(library, cuGetErrorName);
  decltype(&cuInit) init = VGSIM_SYMBOL(library, cuInit);
  decltype(&cuDriverGetVersion) version = VGSIM_SYMBOL(library, cuDriverGetVersion);

  decltype(&cuDeviceGetCount) device_count = VGSIM_SYMBOL(library, cuDeviceGetCount);
  decltype(&cuDeviceGet) device_get = VGSIM_SYMBOL(library, cuDeviceGet);
  decltype(&cuDeviceGetName) device_name = VGSIM_SYMBOL(library, cuDeviceGetName);
  decltype(&cuDeviceGetPCIBusId) device_pci_address = VGSIM_SYMBOL(library, cuDeviceGetPCIBusId);
  decltype(&cuDeviceTotalMem) device_memory = VGSIM_SYMBOL(library, cuDeviceTotalMem);
  decltype(&cuDeviceGetAttribute) device_attribute = VGSIM_SYMBOL(library, cuDeviceGetAttribute);
  decltype(&cuDeviceCanAccessPeer) can_access_peer = VGSIM_SYMBOL(library, cuDeviceCanAccessPeer);

  decltype(&cuDevicePrimaryCtxRetain) context_retain =
      VGSIM_SYMBOL(library, cuDevicePrimaryCtxRetain);
  decltype(&cuDevicePrimaryCtxRelease) context_release =
      VGSIM_SYMBOL(library, cuDevicePrimaryCtxRelease);
  decltype(&cuCtxSetCurrent) context_set = VGSIM_SYMBOL(library, cuCtxSetCurrent);
  decltype(&cuCtxEnablePeerAccess) enable_peer_access =
      VGSIM_SYMBOL(library, cuCtxEnablePeerAccess);
  decltype(&cuCtxDisablePeerAccess) disable_peer_access =
      VGSIM_SYMBOL(library, cuCtxDisablePeerAccess);

  decltype(&cuModuleLoadData) module_load = VGSIM_SYMBOL(library, cuModuleLoadData);
  decltype(&cuModuleUnload) module_unload = VGSIM_SYMBOL(library, cuModuleUnload);
  decltype(&cuModuleGetFunction) module_function = VGSIM_SYMBOL(library, cuModuleGetFunction);
  decltype(&cuLaunchKernel) launch = VGSIM_SYMBOL(library, cuLaunchKernel);

  decltype(&cuStreamCreate) stream_create = VGSIM_SYMBOL(library, cuStreamCreate);
  decltype(&cuStreamDestroy) stream_destroy = VGSIM_SYMBOL(library, cuStreamDestroy);
  decltype(&cuStreamSynchronize) stream_synchronize = VGSIM_SYMBOL(library, cuStreamSynchronize);
  decltype(&cuStreamWaitEvent) stream_wait = VGSIM_SYMBOL(library, cuStreamWaitEvent);
  decltype(&cuEventCreate) event_create = VGSIM_SYMBOL(library, cuEventCreate);
  decltype(&cuEventDestroy) event_destroy = VGSIM_SYMBOL(library, cuEventDestroy);
  decltype(&cuEventRecord) event_record = VGSIM_SYMBOL(library, cuEventRecord);
  decltype(&cuEventSynchronize) event_synchronize = VGSIM_SYMBOL(library, cuEventSynchronize);
  // By its first version: drivers before CUDA 12.8 have no other, and it takes the same arguments.
  decltype(&cuEventElapsedTime) event_elapsed =
      reinterpret_cast<decltype(&cuEventElapsedTime)>(library.symbol("cuEventElapsedTime"));

  decltype(&cuMemAlloc) allocate = VGSIM_SYMBOL(library, cuMemAlloc);
  decltype(&cuMemFree) free = VGSIM_SYMBOL(library, cuMemFree);
  decltype(&cuMemHostAlloc) host_allocate = VGSIM_SYMBOL(library, cuMemHostAlloc);
  decltype(&cuMemFreeHost) host_free = VGSIM_SYMBOL(library, cuMemFreeHost);
  decltype(&cuMemHostRegister) host_register = VGSIM_SYMBOL(library, cuMemHostRegister);
  decltype(&cuMemHostUnregister) host_unregister = VGSIM_SYMBOL(library, cuMemHostUnregister);
  decltype(&cuMemHostGetDevicePointer) host_device_pointer =
      VGSIM_SYMBOL(library, cuMemHostGetDevicePointer);
  decltype(&cuMemsetD8Async) set_bytes = VGSIM_SYMBOL(library, cuMemsetD8Async);
  decltype(&cuMemcpyHtoDAsync) copy_to_gpu = VGSIM_SYMBOL(library, cuMemcpyHtoDAsync);
  decltype(&cuMemcpyDtoHAsync) copy_to_host = VGSIM_SYMBOL(library, cuMemcpyDtoHAsync);
  decltype(&cuMemcpyDtoDAsync) copy_within_gpu = VGSIM_SYMBOL(library, cuMemcpyDtoDAsync);
  decltype(&cuMemcpyPeerAsync) copy_to_peer = VGSIM_SYMBOL(library, cuMemcpyPeerAsync);
};

/// The driver, loaded at the first call. Throws DeviceError where there is none.
[[nodiscard]] const DriverApi& driver();

/// Throws DeviceError where `call` did not succeed.
void check(CUresult result, const char* call);

}  // namespace vgsim::probe::cuda
