#include "models/training/virtualization.hpp"

#include <string>

#include "models/training/compute_noise.hpp"
#include "models/vsphere/gpu_sharing.hpp"
#include "sim/units.hpp"

namespace vgsim::training {
namespace {

class Losses {
 public:
  explicit Losses(ComputeTimes& times) : times_(times) {}

  /// Slows passes to `share` of their speed and the optimizer to `optimizer_share`.
  void slow_down(double share, double optimizer_share, const std::string& mechanism,
                 const std::string& source) {
    if (share == 1.0 && optimizer_share == 1.0) return;
    const SimTime before = passes_of(times_);
    static_cast<void>(stretch_passes(times_, 1.0 / share));
    times_.optimizer = stretched(times_.optimizer, 1.0 / optimizer_share);
    found.push_back({mechanism, passes_of(times_) - before, source});
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
                                    std::size_t gpu, bool overheads,
                                    const calibration::Parameters& parameters) {
  Losses losses(times);
  const vsphere::GpuSharing& sharing = vsphere::sharing_of(vm, gpu);
  if (sharing.compute_share == nullptr || !overheads) return {};
  if (passes_of(times) + times.optimizer == SimTime{0}) return {};
  const double share = parameters.number(sharing.compute_share);
  losses.slow_down(share, share, sharing.title, parameters.describe(sharing.compute_share));
  if (vm.remote_client) {
    const double turns = 1.0 / static_cast<double>(1 + vm.remote_client->busy_clients);
    losses.slow_down(turns, turns, "turns of other remote clients",
                     "time slices of equal length for all busy processes");
    losses.wait(parameters.time("remote_call_latency") * parameters.count("remote_calls_per_step"),
                "CUDA calls over the network", parameters.describe("remote_call_latency"));
  }
  return losses.found;
}

}  // namespace vgsim::training
