#pragma once

#include <cuda.h>

#include <functional>

#include "tools/probe/cuda/stream.hpp"

namespace vgsim::probe::cuda {

/// Work that runs as often as it is launched, by one call of the host each time: however long that
/// takes to queue each kernel, the GPU never waits for it.
class Graph {
 public:
  /// Of what `queue` puts into the stream, which must have run once, so that its kernels are
  /// loaded. Throws DeviceError.
  Graph(const Stream& stream, const std::function<void()>& queue);
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;
  ~Graph();

  /// The GPU's context is current.
  void launch() const;

 private:
  const Stream& stream_;
  CUgraphExec graph_ = nullptr;
};

}  // namespace vgsim::probe::cuda
