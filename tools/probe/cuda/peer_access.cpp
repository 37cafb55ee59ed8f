#include "tools/probe/cuda/peer_access.hpp"

#include <fmt/format.h>

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

}  // namespace

void enable_peer_access(const Gpu& one, const Gpu& other) {
  enable_one_way(one, other);
  enable_one_way(other, one);
}

void disable_peer_access(const Gpu& one, const Gpu& other) {
  disable_one_way(one, other);
  disable_one_way(other, one);
}

}  // namespace vgsim::probe::cuda
