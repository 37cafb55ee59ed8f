#include "tools/probe/cuda/cuda_devices.hpp"

#include <fmt/format.h>

#include <variant>

#include "tools/probe/cuda/facts/machine_facts.hpp"
#include "tools/probe/cuda/gpu.hpp"
#include "tools/probe/cuda/libraries/driver_api.hpp"
#include "tools/probe/cuda/works.hpp"

namespace vgsim::probe {
namespace {

class CudaDevices : public DeviceLayer {
 public:
  explicit CudaDevices(std::size_t count) : gpus_(count) {}

  calibration::MeasuredMachine machine() override { return cuda::machine_facts(gpus_); }

  /// The first run loads kernels and opens connections, so it is part of the preparation.
  std::unique_ptr<PreparedWork> prepare(const calibration::DeviceWork& work) override {
    auto prepared =
        std::visit([this](const auto& chosen) { return cuda::prepare_work(gpus_, chosen); }, work);
    static_cast<void>(prepared->seconds(1));
    return prepared;
  }

  std::string new_call_id() override { return cuda::new_call_id(); }

  std::unique_ptr<PreparedWork> prepare_rank(const calibration::CollectiveCall& call,
                                             const CallRank& rank) override {
    auto prepared = cuda::prepare_rank(gpus_, call, rank);
    static_cast<void>(prepared->seconds(1));
    return prepared;
  }

 private:
  cuda::Gpus gpus_;
};

/// Throws DeviceError.
std::size_t count_of_gpus() {
  try {
    cuda::check(cuda::driver().init(0), "cuInit");
    int count = 0;
    cuda::check(cuda::driver().device_count(&count), "cuDeviceGetCount");
    return static_cast<std::size_t>(count);
  } catch (const DeviceError& error) {
    throw DeviceError(fmt::format("the CUDA driver cannot be used: {}", error.what()));
  }
}

}  // namespace

std::unique_ptr<DeviceLayer> open_cuda_devices() {
  const std::size_t count = count_of_gpus();
  if (count == 0) throw DeviceError("this machine has no GPU that CUDA can use");
  return std::make_unique<CudaDevices>(count);
}

}  // namespace vgsim::probe
