#include "models/training/virtualization.hpp"

#include <numeric>
#include <string>

#include "sim/units.hpp"

namespace vgsim::training {
namespace {

using vsphere::GpuMode;

constexpr const char* kSchedulerSource = "NVIDIA AI Enterprise 5.0 user guide, chapter 7";
constexpr const char* kMigSource = "NVIDIA Multi-Instance GPU user guide";

SimTime passes(const ComputeTimes& times) {
  return std::accumulate(times.backward.begin(), times.backward.end(), times.forward);
}

void stretch_passes(ComputeTimes& times, double factor) {
  times.forward = stretched(times.forward, factor);
  for (SimTime& part : times.backward) part = stretched(part, factor);
}

class Losses {
 public:
  explicit Losses(ComputeTimes& times) : times_(times) {}

  /// Passes at that share of the speed, and the optimizer at another.
  void slow_down(double share, double optimizer_share, const std::string& mechanism,
                 const std::string& source) {
    if (share == 1.0 && optimizer_share == 1.0) return;
    const SimTime before = passes(times_);
    stretch_passes(times_, 1.0 / share);
    times_.optimizer = stretched(times_.optimizer, 1.0 / optimizer_share);
    found.push_back({mechanism, passes(times_) - before, source});
  }

  void wait(SimTime time, const std::string& mechanism, const std::string& source) {
    if (time == SimTime{0}) return;
    times_.forward += time;
    found.push_back({mechanism, time, source});
  }

  std::vector<ComputeLoss> found;

 private:
  ComputeTimes& times_;
};

}  // namespace

std::vector<ComputeLoss> virtualize(ComputeTimes& times, const vsphere::VirtualMachine& vm,
                                    std::size_t gpu, std::size_t ranks, bool overheads,
                                    const calibration::Parameters& parameters) {
  Losses losses(times);
  if (vm.mode == GpuMode::kBareMetal || passes(times) + times.optimizer == SimTime{0}) return {};
  const bool mig = gpu < vm.profiles.size() && vm.profiles[gpu] != nullptr && vm.profiles[gpu]->mig;
  if (overheads) {
    const std::string name = vm.mode == GpuMode::kPassthrough ? "passthrough_compute_share"
                             : mig                            ? "mig_compute_share"
                                                              : "vgpu_compute_share";
    const double share = parameters.number(name);
    losses.slow_down(share, share,
                     vm.mode == GpuMode::kPassthrough ? "passthrough"
                     : mig                            ? "MIG-backed vGPU"
                                                      : "vGPU",
                     parameters.describe(name));
  }
  if (overheads && vm.remote_client) {
    losses.wait(parameters.time("remote_call_latency") * parameters.count("remote_calls_per_step"),
                "CUDA calls over the network", parameters.describe("remote_call_latency"));
  }
  if (gpu >= vm.shares.size() || vm.shares[gpu].is_whole()) return losses.found;
  const vsphere::GpuShare& share = vm.shares[gpu];
  if (mig) {
    losses.slow_down(share.compute, share.memory, "GPU slices of others", kMigSource);
    return losses.found;
  }
  const double switching = overheads ? parameters.number("vgpu_slice_compute_share") : 1.0;
  losses.slow_down(share.compute * switching, share.memory * switching,
                   "time slices of other vGPUs", kSchedulerSource);
  const auto meeting = static_cast<double>(ranks);
  losses.wait(stretched(share.wait, meeting / (meeting + 1.0)), "waiting for its turn",
              kSchedulerSource);
  return losses.found;
}

}  // namespace vgsim::training
