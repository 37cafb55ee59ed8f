#pragma once

#include <cuda.h>

#include <memory>

#include "tools/probe/cuda/gpu.hpp"

namespace vgsim::probe::cuda {

class Stream;

/// A point in a stream, with its time.
class Event {
 public:
  explicit Event(GpuPtr gpu);
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event();

  /// The GPU's context must be current in these calls.
  void record(const Stream& stream) const;
  void synchronize() const;
  [[nodiscard]] double seconds_since(const Event& start) const;

  [[nodiscard]] CUevent handle() const { return event_; }

 private:
  GpuPtr gpu_;
  CUevent event_ = nullptr;
};

/// A queue of work for a GPU, independent of the default stream.
class Stream {
 public:
  explicit Stream(GpuPtr gpu);
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream();

  /// The GPU's context must be current in these calls.
  void synchronize() const;
  void wait_for(const Event& event) const;

  [[nodiscard]] const Gpu& gpu() const { return *gpu_; }
  [[nodiscard]] CUstream handle() const { return stream_; }

 private:
  GpuPtr gpu_;
  CUstream stream_ = nullptr;
};

}  // namespace vgsim::probe::cuda
