#include "models/vsphere/gpu_request.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "topology/host_input.hpp"
#include "topology/input/suggest.hpp"

namespace vgsim::vsphere {
namespace {

using input::as_string;
using input::Diagnostics;
using input::find;
using input::Value;
using topology::report;

const Profile* profile_of(const std::string& name, const Value& at, const Profiles& profiles,
                          Diagnostics& diagnostics) {
  const Profile* profile = profiles.find(name);
  if (profile == nullptr) {
    report(diagnostics, at, fmt::format("unknown vGPU profile \"{}\"", name),
           "a profile as ESXi names it, such as \"grid_a100d-80c\"",
           input::suggest(name, profiles.names()));
  }
  return profile;
}

std::optional<std::size_t> index_of(const std::string& name, std::size_t gpus) {
  for (std::size_t i = 0; i < gpus; ++i) {
    if (name == fmt::format("gpu{}", i)) return i;
  }
  return std::nullopt;
}

void serve_named(const GpuRequest& request, HostAssignment& host, std::vector<TakenGpu>& taken,
                 std::vector<Refusal>& refusals, Diagnostics& diagnostics) {
  const std::size_t gpus = host.host().gpus.size();
  for (const Value& device : request.devices->elements()) {
    const auto index = index_of(as_string(device), gpus);
    if (!index) {
      report(diagnostics, device, fmt::format("no GPU \"{}\" in the host", as_string(device)),
             fmt::format("gpuN with N below {}", gpus));
    } else if (request.mode == GpuMode::kPassthrough && host.gpus()[*index].is_whole()) {
      report(diagnostics, device, fmt::format("\"{}\" is given twice", as_string(device)),
             "a GPU that no VM has yet");
    } else if (const auto got = host.take_gpu(*index, request.profile, refusals)) {
      taken.push_back(*got);
    }
  }
}

}  // namespace

GpuRequest read_gpu_request(const Value& vm, const Profiles& profiles, Diagnostics& diagnostics) {
  GpuRequest request;
  const auto gpus = find(vm, "gpus");
  if (!gpus) return request;
  const std::string mode = as_string(*find(*gpus, "mode"));
  if (mode == "vgpu") request.mode = GpuMode::kVgpu;
  if (mode == "passthrough_static") request.direct_path = DirectPath::kStatic;
  if (mode == "passthrough_dynamic") request.direct_path = DirectPath::kDynamic;
  request.devices = find(*gpus, "devices");
  const auto count = find(*gpus, "count");
  if (count) request.count = static_cast<std::size_t>(input::as_count(*count));
  if (request.devices && count) {
    report(diagnostics, *count, "\"devices\" are given as well",
           "one of \"devices\" and \"count\"");
  }
  const auto profile = find(*gpus, "profile");
  if (profile) {
    request.profile = profile_of(as_string(*profile), *profile, profiles, diagnostics);
    if (request.mode != GpuMode::kVgpu) {
      request.fraction_in_passthrough = true;
      request.profile = nullptr;
    }
  }
  if (const auto groups = find(*gpus, "device_groups")) {
    if (request.mode != GpuMode::kVgpu) {
      report(diagnostics, *groups, "GPU device groups are for vGPU",
             "\"mode\": \"vgpu\", or \"devices\"");
    }
    for (const Value& text : groups->elements()) {
      const DeviceGroup group = *parse_device_group(as_string(text));
      request.groups.push_back({group, profile_of(group.profile, text, profiles, diagnostics)});
    }
  }
  const bool alone = request.devices || request.count || request.groups.empty();
  if (request.mode == GpuMode::kVgpu && !profile && alone) {
    report(diagnostics, *gpus, "a vGPU needs a profile or a device group",
           "\"profile\": \"grid_a100d-80c\" or \"device_groups\"");
  }
  return request;
}

void serve(const GpuRequest& request, Serving kind, HostAssignment& host,
           std::vector<TakenGpu>& taken, std::vector<Refusal>& refusals, Diagnostics& diagnostics) {
  const auto add = [&](const std::optional<TakenGpu>& got) {
    if (got) taken.push_back(*got);
    return got.has_value();
  };
  switch (kind) {
    case Serving::kNamed:
      if (request.devices) serve_named(request, host, taken, refusals, diagnostics);
      break;
    case Serving::kGroups:
      for (std::size_t g = 0; g < request.groups.size(); ++g) {
        const auto& [group, profile] = request.groups[g];
        const auto members = host.take_group(group, *profile, g, refusals);
        taken.insert(taken.end(), members.begin(), members.end());
      }
      break;
    case Serving::kCounted:
      for (std::size_t i = 0; i < request.count.value_or(0); ++i) {
        if (!add(host.take_any(request.profile, refusals))) break;
      }
      break;
    case Serving::kRest:
      if (!request.takes_rest()) break;
      if (request.profile != nullptr && !request.profile->is_whole()) {
        add(host.take_any(request.profile, refusals));
        break;
      }
      for (std::size_t gpu = 0; gpu < host.gpus().size(); ++gpu) {
        if (host.gpus()[gpu].is_free()) add(host.take_gpu(gpu, request.profile, refusals));
      }
      if (taken.empty() && refusals.empty()) add(host.take_any(request.profile, refusals));
      break;
  }
}

}  // namespace vgsim::vsphere
