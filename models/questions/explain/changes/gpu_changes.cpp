#include <fmt/core.h>

#include <algorithm>
#include <charconv>

#include "models/questions/explain/changes/document.hpp"
#include "models/scenario/read/library.hpp"
#include "models/vsphere/spec/device_group.hpp"

namespace vgsim::scenario {
namespace {

/// "4 x a100-pcie-80gb"
struct Gpus {
  std::int64_t count = 0;
  std::string model;
};

Gpus gpus_of(const input::Value& document, const std::string& host) {
  const std::string text = text_at(document, fmt::format("/hosts/{}/gpus", host));
  Gpus gpus;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), gpus.count);
  const std::size_t cross = text.find(" x ");
  if (error != std::errc() || cross == std::string::npos) return {};
  gpus.model = text.substr(cross + 3);
  return gpus;
}

/// NVLink bridges over pairs of neighbouring PCIe cards.
void add_bridges(const Situation& at, std::vector<Change>& changes) {
  Change change{"nvlink-bridges",
                "NVLink bridges over pairs of GPUs",
                {},
                {"cards in neighbouring slots, and a bridge for each link connector"},
                {},
                false};
  for (const std::string& host : names_at(at.document, "/hosts")) {
    const auto now = value_at(at.document, fmt::format("/hosts/{}/nvlink_bridges", host));
    if (now && now->is_array() && !now->elements().empty()) continue;
    const Gpus gpus = gpus_of(at.document, host);
    const auto model = at.library.catalog.gpus.find(gpus.model);
    if (model == at.library.catalog.gpus.end() || model->second.nvlink_links == 0) continue;
    std::vector<input::Value> pairs;
    for (std::int64_t g = 0; g + 1 < gpus.count; g += 2) {
      pairs.push_back(input::Value::make_array(
          {input::Value::make_integer(g), input::Value::make_integer(g + 1)}));
    }
    if (pairs.empty()) continue;
    change.parts["nvlink-bridge"] += static_cast<double>(pairs.size());
    change.overrides.push_back({fmt::format("/hosts/{}/nvlink_bridges", host),
                                input::Value::make_array(std::move(pairs))});
  }
  if (!change.overrides.empty()) changes.push_back(std::move(change));
}

/// The profile of a VM's vGPUs, alone or in groups, and how many there are.
struct Vgpus {
  std::string profile;
  std::size_t count = 0;
};

Vgpus vgpus_of(const Situation& at, const std::string& vm) {
  const std::string own = fmt::format("/vms/{}/gpus", vm);
  Vgpus vgpus;
  vgpus.profile = text_at(at.document, own + "/profile");
  if (const auto count = value_at(at.document, own + "/count");
      count && count->kind() == input::Kind::integer) {
    vgpus.count = static_cast<std::size_t>(count->integer());
  }
  if (const auto groups = value_at(at.document, own + "/device_groups");
      groups && groups->is_array()) {
    vgpus.count = 0;
    for (const input::Value& each : groups->elements()) {
      const auto group =
          each.is_string() ? vsphere::parse_device_group(each.string()) : std::nullopt;
      if (!group) return {};
      vgpus.profile = group->profile;
      vgpus.count += group->gpus;
    }
  }
  if (vgpus.count == 0 && at.result.machines > 0) {
    vgpus.count = at.result.ranks / at.result.machines;
  }
  return vgpus;
}

/// Groups with NVLink that hold all vGPUs of a VM, `size` in each.
void add_groups(const Situation& at, std::size_t size, std::vector<Change>& changes) {
  Change change{"device-group",
                size == 0 ? "one device group with NVLink for all vGPUs of a VM"
                          : fmt::format("device groups of {} vGPUs with NVLink", size),
                {},
                {"vSphere 8.0 or later, 8.0U1 behind NVSwitches [device-group-version]"},
                {},
                false};
  for (const std::string& vm : names_at(at.document, "/vms")) {
    const std::string own = fmt::format("/vms/{}/gpus", vm);
    if (text_at(at.document, own + "/mode") != "vgpu") continue;
    const Vgpus vgpus = vgpus_of(at, vm);
    const std::size_t each = size == 0 ? vgpus.count : size;
    if (vgpus.profile.empty() || each < 2 || vgpus.count % each != 0) continue;
    std::vector<input::Value> groups;
    for (std::size_t g = 0; g < vgpus.count / each; ++g) {
      groups.push_back(input::Value::make_string(
          to_string(vsphere::DeviceGroup{each, vgpus.profile, true, false})));
    }
    change.overrides.push_back(take_away(own + "/profile"));
    change.overrides.push_back(take_away(own + "/count"));
    change.overrides.push_back(
        {own + "/device_groups", input::Value::make_array(std::move(groups))});
  }
  if (!change.overrides.empty()) changes.push_back(std::move(change));
}

void add_passthrough(const Situation& at, std::vector<Change>& changes) {
  Change change{"passthrough",
                "GPUs in passthrough instead of vGPUs",
                {},
                {"VMs lose vMotion, DRS, suspend and snapshots [loses-vmotion]"},
                {},
                false};
  for (const std::string& vm : names_at(at.document, "/vms")) {
    const std::string own = fmt::format("/vms/{}/gpus", vm);
    if (text_at(at.document, own + "/mode") != "vgpu") continue;
    const Vgpus vgpus = vgpus_of(at, vm);
    change.overrides.push_back(set_text(own + "/mode", "passthrough"));
    change.overrides.push_back(take_away(own + "/profile"));
    change.overrides.push_back(take_away(own + "/device_groups"));
    if (vgpus.count > 0) {
      change.overrides.push_back(set_number(own + "/count", static_cast<double>(vgpus.count)));
    }
  }
  if (!change.overrides.empty()) changes.push_back(std::move(change));
}

/// The next GPUs that go into the same slots, where the GPUs hold the job back.
void add_faster_gpus(const Situation& at, std::vector<Change>& changes) {
  struct Step {
    const char* from;
    const char* to;
  };
  constexpr Step kSteps[] = {{"v100-pcie-32gb", "a100-pcie-80gb"},
                             {"t4", "l4"},
                             {"a40", "l40s"},
                             {"a30", "a100-pcie-80gb"},
                             {"a100-pcie-40gb", "h100-pcie-80gb"},
                             {"a100-pcie-80gb", "h100-pcie-80gb"},
                             {"a100-sxm4-40gb", "a100-sxm4-80gb"},
                             {"h100-pcie-80gb", "h200-nvl"},
                             {"h100-sxm5-80gb", "h200-sxm5-141gb"}};
  for (const Step& step : kSteps) {
    Change change{"faster-gpus",
                  fmt::format("{} instead of {}", step.to, step.from),
                  {},
                  {"slots, power and cooling for them; profiles of vGPUs have other names"},
                  {},
                  false};
    for (const std::string& host : names_at(at.document, "/hosts")) {
      const Gpus gpus = gpus_of(at.document, host);
      if (gpus.model != step.from || !at.library.catalog.gpus.contains(step.to)) continue;
      change.overrides.push_back(set_text(fmt::format("/hosts/{}/gpus", host),
                                          fmt::format("{} x {}", gpus.count, step.to)));
      change.parts[step.to] += static_cast<double>(gpus.count);
    }
    if (!change.overrides.empty()) changes.push_back(std::move(change));
  }
}

/// Schedulers of time-sliced vGPUs, for VMs that share GPUs.
void add_schedulers(const Situation& at, std::vector<Change>& changes) {
  const bool shares =
      at.result.training &&
      std::any_of(at.result.training->losses.begin(), at.result.training->losses.end(),
                  [](const training::ComputeLoss& loss) {
                    return loss.mechanism.find("slice") != std::string::npos;
                  });
  if (!shares) return;
  for (const char* scheduler : {"best_effort", "equal_share"}) {
    changes.push_back({"scheduler",
                       fmt::format("the {} scheduler of vGPUs", scheduler),
                       {set_text("/hosts/*/vgpu/scheduler", scheduler)},
                       {"set for every vGPU of a host (RmPVMRL), which takes a restart of it"},
                       {},
                       false});
  }
  changes.push_back({"time-slice",
                     "time slices of 1 ms",
                     {set_text("/hosts/*/vgpu/time_slice", "1 ms")},
                     {"more switches between VMs"},
                     {},
                     false});
}

}  // namespace

void add_gpu_changes(const Situation& at, std::vector<Change>& changes) {
  add_bridges(at, changes);
  add_groups(at, 0, changes);
  add_groups(at, 2, changes);
  add_passthrough(at, changes);
  add_faster_gpus(at, changes);
  add_schedulers(at, changes);
}

}  // namespace vgsim::scenario
