#include "models/vsphere/spec/host_settings_keys.hpp"

#include <regex>
#include <string>

namespace vgsim::vsphere {
namespace {

using namespace input;

constexpr const char* kReleasePattern = "^([1-9][0-9]?)(?:\\.([0-9]{1,2}))?$";

Decoder<BiosSettings> bios() {
  using Bios = BiosSettings;
  return record<Bios>({
      key("iommu", &Bios::iommu, boolean()).describe("VT-d or AMD-Vi").default_value("true"),
      key("sriov", &Bios::sriov, boolean()).describe("SR-IOV").default_value("true"),
      key("above_4g", &Bios::above_4g, boolean())
          .describe("memory mapping above 4 GiB")
          .default_value("true"),
      key("ats", &Bios::ats, boolean())
          .describe("PCIe address translation services: devices cache the IOMMU's translations, "
                    "and access control passes translated requests")
          .default_value("false"),
  });
}

Decoder<VgpuSettings> vgpu() {
  using Vgpu = VgpuSettings;
  return record<Vgpu>({
      key("scheduler", &Vgpu::scheduler,
          words<Scheduler>({{"best_effort", Scheduler::kBestEffort},
                            {"equal_share", Scheduler::kEqualShare},
                            {"fixed_share", Scheduler::kFixedShare}}))
          .describe("scheduler of time-sliced vGPUs")
          .default_value("best_effort"),
      key("time_slice", &Vgpu::time_slice, time(SimTime{63'000'000}, SimTime{30'000'000'000}))
          .describe("length of a time slice")
          .default_text("2 ms, or 1 ms if the profile allows more than 8 vGPUs on a GPU"),
      key("sizes", &Vgpu::mixed_sizes, words<bool>({{"same", false}, {"mixed", true}}))
          .describe("whether profiles of different sizes may share a GPU")
          .default_value("same"),
      key("assignment", &Vgpu::consolidates,
          words<bool>({{"performance", false}, {"consolidation", true}}))
          .describe("performance: spread vGPUs over GPUs; consolidation: fill one after the other")
          .default_value("performance"),
  });
}

}  // namespace

std::optional<DriverRelease> parse_driver_release(std::string_view text) {
  static const std::regex pattern(kReleasePattern);
  std::match_results<std::string_view::const_iterator> match;
  if (text.size() > 5 || !std::regex_match(text.begin(), text.end(), match, pattern)) {
    return std::nullopt;
  }
  return DriverRelease{std::stol(match[1].str()), match[2].matched ? std::stol(match[2].str()) : 0};
}

Decoder<DriverRelease> driver_release() {
  return text("a release of the vGPU software such as \"15.2\"", kReleasePattern,
              &parse_driver_release);
}

Keys<HostSettings> host_settings_keys() {
  using Settings = HostSettings;
  return {
      key("bios", &Settings::bios, bios()).describe("settings of the BIOS"),
      key("iommu", &Settings::iommu,
          words<Iommu>({{"unstated", Iommu::kUnstated},
                        {"off", Iommu::kOff},
                        {"passthrough", Iommu::kPassthrough},
                        {"translate", Iommu::kTranslate}}))
          .describe(
              "what the IOMMU does with addresses that devices use on a host without VMs; "
              "Linux: passthrough with iommu=pt. Unstated is taken as passthrough; for devices of "
              "VMs it translates")
          .default_value("unstated")
          .examples({"translate"}),
      key("vgpu", &Settings::vgpu, vgpu()).describe("how the host's GPUs are shared"),
      key("vgpu_manager", &Settings::vgpu_manager, driver_release())
          .describe("release of the host's vGPU manager")
          .examples({"16.4"}),
      key("dpu_offload", &Settings::dpu_offload, boolean())
          .describe("the virtual switch runs on a DPU of the host (Distributed Services Engine)")
          .default_value("false"),
      key("vmotion", &Settings::vmotion, rate(BytesPerSecond{1}))
          .describe("rate of the network that vMotion uses")
          .default_value("10 Gbit/s"),
      key("gpu_labels", &Settings::gpu_labels, named("GPU of the host, or a pattern", name()))
          .describe("hardware labels of its GPUs, by which VMs in dynamic DirectPath I/O choose "
                    "(Assignable Hardware)")
          .examples({R"({"gpu[0-3]": "training"})"}),
  };
}

}  // namespace vgsim::vsphere
