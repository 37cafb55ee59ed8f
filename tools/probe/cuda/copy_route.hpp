#pragma once

#include <memory>
#include <optional>

#include "models/calibration/device_work.hpp"
#include "tools/probe/cuda/device_memory.hpp"
#include "tools/probe/cuda/gpu.hpp"
#include "tools/probe/cuda/host_memory.hpp"
#include "tools/probe/cuda/stream.hpp"

namespace vgsim::probe::cuda {

/// One route of Copies: its memory at both ends, and the stream that its copies go through.
class CopyRoute {
 public:
  /// Throws DeviceError.
  CopyRoute(Gpus& gpus, const calibration::Copies& copies, const calibration::Route& route);

  /// Queues one copy. The stream's context is current.
  void enqueue() const;

  [[nodiscard]] const Stream& stream() const { return stream_; }

  /// Copies of pageable memory block the host, so events cannot time them.
  [[nodiscard]] bool is_pageable() const { return pageable_; }

 private:
  /// Memory at one end, in a GPU or in the host.
  struct End {
    std::optional<DeviceMemory> device;
    std::unique_ptr<HostMemory> host;
    GpuPtr gpu;               ///< of device memory
    CUdeviceptr address = 0;  ///< for a kernel, and for a copy engine in a GPU
  };

  [[nodiscard]] End end(Gpus& gpus, const calibration::Place& place, bool by_kernel) const;
  void enqueue_by_engine() const;

  std::size_t size_;
  bool pageable_;
  Stream stream_;
  CUfunction kernel_ = nullptr;  ///< of a copy by kernel
  End from_;
  End to_;
};

}  // namespace vgsim::probe::cuda
