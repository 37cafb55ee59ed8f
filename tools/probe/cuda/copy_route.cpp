#include "tools/probe/cuda/copy_route.hpp"

#include <fmt/format.h>

#include "tools/probe/cuda/copy_kernel.hpp"
#include "tools/probe/cuda/gpu.hpp"
#include "tools/probe/cuda/libraries/driver_api.hpp"
#include "tools/probe/device_layer.hpp"

namespace vgsim::probe::cuda {
namespace {

void enable_one_way(const Gpu& from, const Gpu& to) {
  int can = 0;
  check(driver().can_access_peer(&can, from.device(), to.device()), "cuDeviceCanAccessPeer");
  if (can == 0) {
    throw DeviceError(fmt::format("GPU {} cannot reach the memory of GPU {} directly",
                                  from.ordinal(), to.ordinal()));
  }
  from.make_current();
  const CUresult result = driver().enable_peer_access(to.context(), 0);
  if (result != CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED) check(result, "cuCtxEnablePeerAccess");
}

void disable_one_way(const Gpu& from, const Gpu& to) {
  from.make_current();
  const CUresult result = driver().disable_peer_access(to.context());
  if (result != CUDA_ERROR_PEER_ACCESS_NOT_ENABLED) check(result, "cuCtxDisablePeerAccess");
}

/// Enables access of each of two GPUs to the memory of the other. Throws DeviceError on
/// failure.
void enable_peer_access(const Gpu& one, const Gpu& other) {
  enable_one_way(one, other);
  enable_one_way(other, one);
}

/// Disables it, so that copies between the two go through host memory.
void disable_peer_access(const Gpu& one, const Gpu& other) {
  disable_one_way(one, other);
  disable_one_way(other, one);
}

using calibration::Place;

bool is_gpu(const Place& place) { return place.kind == Place::Kind::kGpu; }

/// The GPU that executes the copies: of two, the sender with a copy engine, the reader with a
/// kernel.
GpuPtr copying_gpu(Gpus& gpus, const calibration::Copies& copies, const calibration::Route& route) {
  if (!is_gpu(route.from) && !is_gpu(route.to)) {
    throw DeviceError("a copy within host memory does not use a GPU");
  }
  const bool receiver = !is_gpu(route.from) || (is_gpu(route.to) && copies.by_kernel);
  return gpus.at(receiver ? route.to.gpu : route.from.gpu);
}

/// The same GPU, with peer access between the ends set as requested.
GpuPtr ready_gpu(Gpus& gpus, const calibration::Copies& copies, const calibration::Route& route) {
  if (is_gpu(route.from) && is_gpu(route.to) && route.from.gpu != route.to.gpu) {
    const GpuPtr from = gpus.at(route.from.gpu);
    const GpuPtr to = gpus.at(route.to.gpu);
    if (copies.peer_access) {
      enable_peer_access(*from, *to);
    } else if (copies.by_kernel) {
      throw DeviceError("a kernel copies between GPUs by peer access alone");
    } else {
      gpus.kept_communicator() = {};  // NCCL may depend on the access
      disable_peer_access(*from, *to);
    }
  }
  return copying_gpu(gpus, copies, route);
}

}  // namespace

/// The stream's GPU determines peer access and the engine or kernel of the copies; then memory
/// at both ends is allocated.
CopyRoute::CopyRoute(Gpus& gpus, const calibration::Copies& copies, const calibration::Route& route)
    : size_(checked_size(copies.size)),
      pageable_(route.from.kind == Place::Kind::kPageable ||
                route.to.kind == Place::Kind::kPageable),
      stream_(ready_gpu(gpus, copies, route)),
      kernel_(copies.by_kernel ? copy_kernel(stream_.gpu()) : nullptr),
      from_(end(gpus, route.from, copies.by_kernel)),
      to_(end(gpus, route.to, copies.by_kernel)) {
  if (!from_.gpu) return;
  const Stream filling(from_.gpu);
  fill_random(filling, from_.address, Number::kFp32, static_cast<std::int64_t>(size_ / 4));
  filling.synchronize();
}

CopyRoute::End CopyRoute::end(Gpus& gpus, const Place& place, bool by_kernel) const {
  End made;
  if (is_gpu(place)) {
    made.gpu = gpus.at(place.gpu);
    made.device.emplace(made.gpu, size_);
    made.address = made.device->address();
    return made;
  }
  made.host = allocate_host_memory(gpus.at(stream_.gpu().ordinal()), place, size_);
  if (by_kernel) made.address = made.host->device_address();
  return made;
}

void CopyRoute::enqueue() const {
  if (kernel_ == nullptr) {
    enqueue_by_engine();
  } else {
    copy_by_kernel(stream_, kernel_, from_.address, to_.address, size_);
  }
}

void CopyRoute::enqueue_by_engine() const {
  const CUstream stream = stream_.handle();
  if (from_.host) {
    check(driver().copy_to_gpu(to_.address, from_.host->data(), size_, stream),
          "cuMemcpyHtoDAsync");
  } else if (to_.host) {
    check(driver().copy_to_host(to_.host->data(), from_.address, size_, stream),
          "cuMemcpyDtoHAsync");
  } else if (from_.gpu == to_.gpu) {
    check(driver().copy_within_gpu(to_.address, from_.address, size_, stream), "cuMemcpyDtoDAsync");
  } else {
    check(driver().copy_to_peer(to_.address, to_.gpu->context(), from_.address,
                                from_.gpu->context(), size_, stream),
          "cuMemcpyPeerAsync");
  }
}

}  // namespace vgsim::probe::cuda
