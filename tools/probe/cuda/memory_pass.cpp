#include "tools/probe/cuda/copy_kernel.hpp"
#include "tools/probe/cuda/device_memory.hpp"
#include "tools/probe/cuda/works.hpp"

namespace vgsim::probe::cuda {
namespace {

class MemoryPassWork : public StreamWork {
 public:
  MemoryPassWork(const GpuPtr& gpu, std::size_t size)
      : StreamWork(gpu), size_(size), kernel_(copy_kernel(*gpu)), from_(gpu, size), to_(gpu, size) {
    fill_random(stream(), from_.address(), Number::kFp32, static_cast<std::int64_t>(size / 4));
    stream().synchronize();
  }

 private:
  void enqueue() override {
    copy_by_kernel(stream(), kernel_, from_.address(), to_.address(), size_);
  }

  std::size_t size_;
  CUfunction kernel_;
  DeviceMemory from_;
  DeviceMemory to_;
};

}  // namespace

std::unique_ptr<PreparedWork> prepare_work(Gpus& gpus, const calibration::MemoryPass& work) {
  return std::make_unique<MemoryPassWork>(gpus.at(work.gpu), checked_size(work.size));
}

}  // namespace vgsim::probe::cuda
