#include "models/vsphere/gpu_request.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "topology/input/suggest.hpp"
#include "topology/look_up.hpp"

namespace vgsim::vsphere {
namespace {

using input::At;
using input::Diagnostics;
using topology::report;

const Profile* profile_of(const At<std::string>& name, const Profiles& profiles,
                          Diagnostics& diagnostics) {
  const Profile* profile = profiles.find(*name);
  if (profile == nullptr) {
    report(diagnostics, name, fmt::format("unknown vGPU profile \"{}\"", *name),
           "a profile as ESXi names it, such as \"grid_a100d-80c\"",
           input::suggest(*name, profiles.names()));
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
  for (const At<std::string>& device : *request.devices) {
    const auto index = index_of(*device, gpus);
    if (!index) {
      report(diagnostics, device, fmt::format("no GPU \"{}\" in the host", *device),
             fmt::format("gpuN with N below {}", gpus));
    } else if (request.mode->is_exclusive && host.gpus()[*index].is_whole()) {
      report(diagnostics, device, fmt::format("\"{}\" is given twice", *device),
             "a GPU that no VM has yet");
    } else if (const auto got = host.take_gpu(*index, request.profile, refusals)) {
      taken.push_back(*got);
    }
  }
}

}  // namespace

GpuRequest gpu_request(const VmSpec& vm, const Profiles& profiles, Diagnostics& diagnostics) {
  GpuRequest request;
  if (!vm.gpus) return request;
  const GpusSpec& spec = *vm.gpus;
  request.mode = spec.mode;
  request.devices = spec.devices;
  if (spec.count) request.count = static_cast<std::size_t>(**spec.count);
  if (spec.label) request.label = **spec.label;
  if (spec.profile) {
    const Profile* profile = profile_of(*spec.profile, profiles, diagnostics);
    request.fraction_in_passthrough = !request.mode->takes_profiles;
    request.profile = request.fraction_in_passthrough ? nullptr : profile;
  }
  if (spec.profiles) {
    for (const At<std::string>& name : *spec.profiles) {
      const Profile* profile = profile_of(name, profiles, diagnostics);
      if (profile != nullptr) request.profiles.push_back(profile);
    }
  }
  if (!spec.device_groups) return request;
  for (const At<DeviceGroup>& group : **spec.device_groups) {
    request.groups.push_back(
        {*group, profile_of({group->profile, group.origin}, profiles, diagnostics)});
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
      for (const Profile* profile : request.profiles) add(host.take_any(profile, {}, refusals));
      for (std::size_t i = 0; i < request.count.value_or(0); ++i) {
        if (!add(host.take_any(request.profile, request.label, refusals))) break;
      }
      break;
    case Serving::kRest:
      if (!request.takes_rest()) break;
      if (request.profile != nullptr && !request.profile->is_whole()) {
        add(host.take_any(request.profile, request.label, refusals));
        break;
      }
      for (std::size_t gpu = 0; gpu < host.gpus().size(); ++gpu) {
        if (host.gpus()[gpu].is_free() && host.has_label(gpu, request.label)) {
          add(host.take_gpu(gpu, request.profile, refusals));
        }
      }
      if (taken.empty() && refusals.empty()) {
        add(host.take_any(request.profile, request.label, refusals));
      }
      break;
  }
}

}  // namespace vgsim::vsphere
