#pragma once

#include <memory>
#include <string>

#include "models/calibration/device_work.hpp"
#include "tools/probe/cuda/gpu.hpp"
#include "tools/probe/cuda/stream.hpp"
#include "tools/probe/device_layer.hpp"

namespace vgsim::probe::cuda {

/// Work in one stream of one GPU, timed by events in it.
class StreamWork : public PreparedWork {
 public:
  [[nodiscard]] double seconds(std::size_t repeats) final;

 protected:
  explicit StreamWork(const GpuPtr& gpu) : stream_(gpu), start_(gpu), end_(gpu) {}

  [[nodiscard]] const Stream& stream() const { return stream_; }

 private:
  /// Queues the work once. The GPU's context must be current.
  virtual void enqueue() = 0;

  Stream stream_;
  Event start_;
  Event end_;
};

// Each throws DeviceError if the GPUs or their libraries fail.

[[nodiscard]] std::unique_ptr<PreparedWork> prepare_work(Gpus& gpus,
                                                         const calibration::Copies& work);
[[nodiscard]] std::unique_ptr<PreparedWork> prepare_work(Gpus& gpus,
                                                         const calibration::MemoryPass& work);
[[nodiscard]] std::unique_ptr<PreparedWork> prepare_work(Gpus& gpus,
                                                         const calibration::Product& work);
[[nodiscard]] std::unique_ptr<PreparedWork> prepare_work(Gpus& gpus,
                                                         const calibration::Launch& work);
[[nodiscard]] std::unique_ptr<PreparedWork> prepare_work(Gpus& gpus,
                                                         const calibration::TrainingStep& work);
[[nodiscard]] std::unique_ptr<PreparedWork> prepare_work(Gpus& gpus,
                                                         const calibration::CollectiveCall& work);

// See DeviceLayer.

[[nodiscard]] std::string new_call_id();
[[nodiscard]] std::unique_ptr<PreparedWork> prepare_rank(Gpus& gpus,
                                                         const calibration::CollectiveCall& work,
                                                         const CallRank& rank);

// The networks of a TrainingStep.

[[nodiscard]] std::unique_ptr<PreparedWork> prepare_transformer(
    GpuPtr gpu, const calibration::TrainingStep& work);
[[nodiscard]] std::unique_ptr<PreparedWork> prepare_cnn(GpuPtr gpu,
                                                        const calibration::TrainingStep& work);

}  // namespace vgsim::probe::cuda
