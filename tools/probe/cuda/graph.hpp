#pragma once

#include <cuda.h>

#include <functional>

#include "tools/probe/cuda/stream.hpp"

namespace vgsim::probe::cuda {

/// A CUDA graph, launched with one call of the host, so that the GPU never waits for the host
/// to queue single kernels.
class Graph {
 public:
  /// Captures the work that `queue` adds to the stream. It must have run once, so that its kernels
  /// are loaded. Throws DeviceError.
  Graph(const Stream& stream, const std::function<void()>& queue);
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;
  ~Graph();

  /// The GPU's context must be current.
  void launch() const;

 private:
  const Stream& stream_;
  CUgraphExec graph_ = nullptr;
};

}  // namespace vgsim::probe::cuda
