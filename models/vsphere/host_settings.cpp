#include "models/vsphere/host_settings.hpp"

#include <regex>

#include "topology/input/typed.hpp"

namespace vgsim::vsphere {
namespace {

using namespace input;

constexpr const char* kReleasePattern = "([1-9][0-9]?)(?:\\.([0-9]{1,2}))?";
constexpr const char* kReleaseNoun = "a release of the vGPU software such as \"15.2\"";

Shape bios_shape() {
  return object_shape({
      field("iommu", boolean_shape()).describe("VT-d or AMD-Vi").default_text("true"),
      field("sriov", boolean_shape()).describe("SR-IOV").default_text("true"),
      field("above_4g", boolean_shape())
          .describe("memory mapping above 4 GiB")
          .default_text("true"),
      field("ats", boolean_shape())
          .describe(
              "PCIe address translation services: devices cache the IOMMU's translations, and "
              "access control lets what they have translated pass")
          .default_text("false"),
  });
}

Shape vgpu_shape() {
  return object_shape({
      field("scheduler", enum_shape({"best_effort", "equal_share", "fixed_share"}))
          .describe("how time-sliced vGPUs share a GPU")
          .default_text("best_effort"),
      field("time_slice", time_shape(SimTime{63'000'000}, SimTime{30'000'000'000}))
          .describe("how long a vGPU has the GPU at a time")
          .default_text("2 ms, or 1 ms where the profile allows more than 8 on a GPU"),
      field("sizes", enum_shape({"same", "mixed"}))
          .describe("whether profiles of different sizes may share a GPU")
          .default_text("same"),
      field("assignment", enum_shape({"performance", "consolidation"}))
          .describe("performance: spread vGPUs over GPUs; consolidation: fill one after the other")
          .default_text("performance"),
  });
}

bool flag(const std::optional<Value>& object, const char* key, bool otherwise) {
  const auto value = object ? find(*object, key) : std::nullopt;
  return value ? as_bool(*value) : otherwise;
}

std::string word(const std::optional<Value>& object, const char* key) {
  const auto value = object ? find(*object, key) : std::nullopt;
  return value ? as_string(*value) : std::string();
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

Shape driver_release_shape() {
  return pattern_string(kReleaseNoun, std::string("^") + kReleasePattern + "$",
                        [](std::string_view text) -> std::optional<std::string> {
                          if (parse_driver_release(text)) return std::nullopt;
                          return kReleaseNoun;
                        });
}

std::vector<Field> host_settings_fields() {
  return {
      field("bios", bios_shape()).describe("what is switched on in the BIOS"),
      field("vgpu", vgpu_shape()).describe("how the host's GPUs are shared"),
      field("vgpu_manager", driver_release_shape())
          .describe("release of the host's vGPU manager")
          .examples({"16.4"}),
      field("numa_node", object_shape({
                             field("cores", count_shape(1, 1024)).describe("physical cores"),
                             field("memory", bytes_shape(Bytes{1})),
                         }))
          .describe("size of one NUMA node, to see whether a VM fits into it"),
      field("dpu_offload", boolean_shape())
          .describe("the virtual switch runs on a DPU of the host (Distributed Services Engine)")
          .default_text("false"),
      field("vmotion", rate_shape(BytesPerSecond{1}))
          .describe("rate of the network that vMotion uses")
          .default_text("10 Gbit/s"),
  };
}

HostSettings read_host_settings(const Value& host) {
  const auto bios = find(host, "bios");
  const auto vgpu = find(host, "vgpu");
  HostSettings settings;
  settings.iommu = flag(bios, "iommu", true);
  settings.sriov = flag(bios, "sriov", true);
  settings.above_4g = flag(bios, "above_4g", true);
  settings.ats = flag(bios, "ats", false);
  settings.dpu_offload = flag(host, "dpu_offload", false);
  const std::string scheduler = word(vgpu, "scheduler");
  if (scheduler == "equal_share") settings.scheduler = Scheduler::kEqualShare;
  if (scheduler == "fixed_share") settings.scheduler = Scheduler::kFixedShare;
  if (const auto slice = vgpu ? find(*vgpu, "time_slice") : std::nullopt) {
    settings.time_slice = as_time(*slice);
  }
  settings.mixed_sizes = word(vgpu, "sizes") == "mixed";
  settings.consolidates = word(vgpu, "assignment") == "consolidation";
  if (const auto node = find(host, "numa_node")) {
    if (const auto cores = find(*node, "cores")) settings.numa_cores = as_count(*cores);
    if (const auto memory = find(*node, "memory")) settings.numa_memory = as_bytes(*memory);
  }
  if (const auto rate = find(host, "vmotion")) settings.vmotion = as_rate(*rate);
  if (const auto manager = find(host, "vgpu_manager")) {
    settings.vgpu_manager = parse_driver_release(as_string(*manager));
  }
  return settings;
}

}  // namespace vgsim::vsphere
