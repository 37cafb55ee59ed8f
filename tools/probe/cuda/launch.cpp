#include "tools/probe/cuda/host_clock.hpp"
#include "tools/probe/cuda/kernel_launch.hpp"
#include "tools/probe/cuda/works.hpp"

namespace vgsim::probe::cuda {
namespace {

class QueuedLaunches : public StreamWork {
 public:
  explicit QueuedLaunches(const GpuPtr& gpu) : StreamWork(gpu), kernel_(gpu->kernel("nothing")) {}

 private:
  void enqueue() override { launch(stream(), kernel_, {}, {}); }

  CUfunction kernel_;
};

/// Launches with a wait for each: the latency seen by the host.
class AwaitedLaunches : public PreparedWork {
 public:
  explicit AwaitedLaunches(const GpuPtr& gpu) : stream_(gpu), kernel_(gpu->kernel("nothing")) {}

  double seconds(std::size_t repeats) override {
    stream_.gpu().make_current();
    const HostClock clock;
    for (std::size_t i = 0; i < repeats; ++i) {
      launch(stream_, kernel_, {}, {});
      stream_.synchronize();
    }
    return clock.seconds();
  }

 private:
  Stream stream_;
  CUfunction kernel_;
};

}  // namespace

std::unique_ptr<PreparedWork> prepare_work(Gpus& gpus, const calibration::Launch& work) {
  const GpuPtr gpu = gpus.at(work.gpu);
  if (work.waits) return std::make_unique<AwaitedLaunches>(gpu);
  return std::make_unique<QueuedLaunches>(gpu);
}

}  // namespace vgsim::probe::cuda
