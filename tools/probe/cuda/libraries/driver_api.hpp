#pragma once

#include <cuda.h>

#include "tools/probe/cuda/libraries/shared_library.hpp"

namespace vgsim::probe::cuda {

/// The functions of the CUDA driver that the probe calls.
struct DriverApi {
  SharedLibrary library;

  VGSIM_FUNCTION(error_name, cuGetErrorName);
  VGSIM_FUNCTION(init, cuInit);
  VGSIM_FUNCTION(version, cuDriverGetVersion);

  VGSIM_FUNCTION(device_count, cuDeviceGetCount);
  VGSIM_FUNCTION(device_get, cuDeviceGet);
  VGSIM_FUNCTION(device_name, cuDeviceGetName);
  VGSIM_FUNCTION(device_pci_address, cuDeviceGetPCIBusId);
  VGSIM_FUNCTION(device_memory, cuDeviceTotalMem);
  VGSIM_FUNCTION(device_attribute, cuDeviceGetAttribute);
  VGSIM_FUNCTION(can_access_peer, cuDeviceCanAccessPeer);

  VGSIM_FUNCTION(context_retain, cuDevicePrimaryCtxRetain);
  VGSIM_FUNCTION(context_release, cuDevicePrimaryCtxRelease);
  VGSIM_FUNCTION(context_set, cuCtxSetCurrent);
  VGSIM_FUNCTION(enable_peer_access, cuCtxEnablePeerAccess);
  VGSIM_FUNCTION(disable_peer_access, cuCtxDisablePeerAccess);

  VGSIM_FUNCTION(module_load, cuModuleLoadData);
  VGSIM_FUNCTION(module_unload, cuModuleUnload);
  VGSIM_FUNCTION(module_function, cuModuleGetFunction);
  VGSIM_FUNCTION(launch, cuLaunchKernel);

  VGSIM_FUNCTION(stream_create, cuStreamCreate);
  VGSIM_FUNCTION(stream_destroy, cuStreamDestroy);
  VGSIM_FUNCTION(stream_synchronize, cuStreamSynchronize);
  VGSIM_FUNCTION(stream_wait, cuStreamWaitEvent);
  VGSIM_FUNCTION(capture_begin, cuStreamBeginCapture);
  VGSIM_FUNCTION(capture_end, cuStreamEndCapture);
  VGSIM_FUNCTION(graph_instantiate, cuGraphInstantiateWithFlags);
  VGSIM_FUNCTION(graph_launch, cuGraphLaunch);
  VGSIM_FUNCTION(graph_exec_destroy, cuGraphExecDestroy);
  VGSIM_FUNCTION(graph_destroy, cuGraphDestroy);
  VGSIM_FUNCTION(event_create, cuEventCreate);
  VGSIM_FUNCTION(event_destroy, cuEventDestroy);
  VGSIM_FUNCTION(event_record, cuEventRecord);
  VGSIM_FUNCTION(event_synchronize, cuEventSynchronize);
  // Its first version: drivers before CUDA 12.8 have no other, and the arguments are the same.
  decltype(&cuEventElapsedTime) event_elapsed =
      reinterpret_cast<decltype(&cuEventElapsedTime)>(library.symbol("cuEventElapsedTime"));

  VGSIM_FUNCTION(allocate, cuMemAlloc);
  VGSIM_FUNCTION(free, cuMemFree);
  VGSIM_FUNCTION(host_allocate, cuMemHostAlloc);
  VGSIM_FUNCTION(host_free, cuMemFreeHost);
  VGSIM_FUNCTION(host_register, cuMemHostRegister);
  VGSIM_FUNCTION(host_unregister, cuMemHostUnregister);
  VGSIM_FUNCTION(host_device_pointer, cuMemHostGetDevicePointer);
  VGSIM_FUNCTION(set_bytes, cuMemsetD8Async);
  VGSIM_FUNCTION(copy_to_gpu, cuMemcpyHtoDAsync);
  VGSIM_FUNCTION(copy_to_host, cuMemcpyDtoHAsync);
  VGSIM_FUNCTION(copy_within_gpu, cuMemcpyDtoDAsync);
  VGSIM_FUNCTION(copy_to_peer, cuMemcpyPeerAsync);
};

/// The driver, loaded at the first call. Throws DeviceError if it is missing.
[[nodiscard]] const DriverApi& driver();

/// Throws DeviceError if `call` failed.
void check(CUresult result, const char* call);

}  // namespace vgsim::probe::cuda
