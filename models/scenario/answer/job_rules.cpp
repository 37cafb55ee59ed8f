#include "models/scenario/answer/job_rules.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <string>

#include "models/scenario/run/warning.hpp"

namespace vgsim::scenario {
namespace {

using vsphere::VirtualMachine;

/// A VM of the job while its demands are judged.
class JobVm {
 public:
  JobVm(const VirtualMachine& vm, const Placement& placed, const Library& library,
        LayoutResult& result)
      : vm_(vm),
        host_(placed.cluster->topology.hosts[vm.host]),
        boards_(placed.cluster->inventory[vm.host].boards),
        cluster_(*placed.cluster),
        library_(library),
        result_(result) {}

  void check_cuda() const {
    const auto without = std::find_if(
        vm_.profiles.begin(), vm_.profiles.end(),
        [](const vsphere::Profile* profile) { return profile != nullptr && !profile->has_cuda(); });
    if (without == vm_.profiles.end()) return;
    found("profile-without-cuda", fmt::format("\"{}\" has no CUDA", (*without)->name));
  }

  /// GPUDirect Storage needs a Linux guest, a GPU whose vGPU supports it, peer-to-peer, and a
  /// device of the guest's own that storage lies behind.
  void check_gpudirect_storage() const {
    if (!vm_.settings.linux_guest) found("gds-guest-os", "its guest is not Linux");
    if (vm_.mode->takes_profiles) check_vgpu();
    if (!vm_.allow_p2p) {
      found("gds-no-p2p", "pciPassthru.allowP2P and RelaxACSforP2P are not set");
    }
    check_device();
  }

 private:
  void found(const char* rule, const std::string& text) const {
    Warning warning = warning_of(rule, fmt::format("{}: {}", vm_.name, text), library_);
    const auto same = [&](const Warning& other) {
      return other.rule == warning.rule && other.text == warning.text;
    };
    if (std::any_of(result_.warnings.begin(), result_.warnings.end(), same)) return;
    const bool refuses = warning.verdict == vsphere::Verdict::kRefused;
    result_.refused |= refuses;
    result_.warnings.insert(refuses ? result_.warnings.begin() : result_.warnings.end(),
                            std::move(warning));
  }

  void check_vgpu() const {
    const vsphere::Versions& versions = library_.vsphere->versions;
    const char* feature = "gpudirect-rdma-vgpu";
    if (!versions.has(cluster_.vsphere, feature)) {
      found("gds-vgpu-version",
            fmt::format("GPUDirect with vGPU comes with vSphere {}", versions.since(feature)));
    }
    const bool old = std::any_of(vm_.gpus.begin(), vm_.gpus.end(), [&](std::size_t gpu) {
      const vsphere::Board* board = boards_[gpu];
      return board != nullptr && !board->is_newer_than_ampere();
    });
    if (old) {
      found("gds-vgpu-gpu", "its GPUs are of Ampere or older");
    } else {
      found("gds-open-driver", "GPUDirect Storage needs the open kernel modules in the guest");
    }
  }

  void check_device() const {
    if (!host_.storage_nic) {
      if (vm_.settings.other_devices.nvme == 0) {
        found("gds-no-device", "its storage is local, and no NVMe device is passed to it");
      }
      return;
    }
    const auto nic = std::find_if(vm_.nics.begin(), vm_.nics.end(), [&](const auto& each) {
      return each.host_nic == *host_.storage_nic;
    });
    if (nic != vm_.nics.end() && nic->mode->reaches_gpus) return;
    found("gds-no-device",
          fmt::format("its storage is reached over {}, {}", host_.nics[*host_.storage_nic].name,
                      nic == vm_.nics.end()
                          ? "which it does not have"
                          : fmt::format("which it has {}: no device that reaches GPU memory",
                                        nic->mode->given)));
  }

  const VirtualMachine& vm_;
  const topology::Host& host_;
  const std::vector<const vsphere::Board*>& boards_;
  const Cluster& cluster_;
  const Library& library_;
  LayoutResult& result_;
};

}  // namespace

void judge_job(const Placement& placed, const Library& library, LayoutResult& result) {
  const bool direct = placed.job.training && placed.job.training->input.direct;
  for (const std::size_t machine : placed.machine_of_vm) {
    const Cluster& cluster = *placed.cluster;
    const VirtualMachine& vm = cluster.kinds[cluster.machines[machine].kind];
    if (!vm.mode->is_virtual) continue;
    const JobVm judged(vm, placed, library, result);
    judged.check_cuda();
    if (direct) judged.check_gpudirect_storage();
  }
}

}  // namespace vgsim::scenario
