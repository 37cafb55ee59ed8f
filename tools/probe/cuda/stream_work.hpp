#pragma once

#include "tools/probe/cuda/stream.hpp"
#include "tools/probe/device_layer.hpp"

namespace vgsim::probe::cuda {

/// Work in one stream of one GPU, timed by events of that stream.
class StreamWork : public PreparedWork {
 public:
  [[nodiscard]] double seconds(std::size_t repeats) final;

 protected:
  explicit StreamWork(const GpuPtr& gpu) : stream_(gpu), start_(gpu), end_(gpu) {}

  [[nodiscard]] const Stream& stream() const { return stream_; }

 private:
  /// Queues the work once. The GPU's context is current.
  virtual void enqueue() = 0;

  Stream stream_;
  Event start_;
  Event end_;
};

}  // namespace vgsim::probe::cuda
