#include "tools/studio/panel/device_choices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "models/scenario/answer/manifest.hpp"
#include "models/scenario/read/library.hpp"
#include "models/vsphere/modes/gpu_modes.hpp"
#include "tools/studio/panel/control_json.hpp"
#include "tools/studio/panel/slotted_hosts.hpp"
#include "tools/studio/panel/vm_choices.hpp"
#include "tools/studio/responses.hpp"
#include "topology/catalog/part_fit.hpp"
#include "topology/input/typed.hpp"

namespace vgsim::studio {
namespace {

using input::Member;
using input::Value;
using nlohmann::ordered_json;

std::string pointer_to(const char* machines, const std::string& name, const char* key) {
  return fmt::format("/{}/{}{}", machines, name.empty() ? "*" : name, key);
}

/// The pointer to another member of the same object.
std::string sibling(const std::string& pointer, const char* key) {
  return pointer.substr(0, pointer.rfind('/') + 1) + key;
}

/// Whether the hosts have bridges. An empty list is for bridges that the present GPUs cannot
/// have, so that they are there again with GPUs that can.
bool is_bridged(const Value& scenario, const Scope& scope) {
  const Member* host = first_machine(scenario, "hosts", scope.host);
  return host != nullptr && input::find(host->value, "nvlink_bridges").has_value();
}

/// As many bridges as all of the hosts support for that number of GPUs, by default of the present
/// model.
ordered_json bridges_of(const std::vector<SlottedHost>& hosts, std::int64_t gpus,
                        const topology::GpuModel* model = nullptr) {
  ordered_json pairs = ordered_json::array();
  if (hosts.empty()) return pairs;
  const auto of = [&](const topology::HostParts& parts) {
    const topology::GpuModel* gpu = model == nullptr ? parts.gpu : model;
    const bool can_be = gpu != nullptr && topology::supports_nvlink_bridges(*gpu);
    return can_be
               ? topology::possible_bridge_pairs(parts.server, *gpu, static_cast<std::size_t>(gpus))
               : decltype(topology::possible_bridge_pairs(parts.server, *gpu, 0)){};
  };
  const auto first = of(hosts.front().parts);
  const bool alike =
      std::ranges::all_of(hosts, [&](const SlottedHost& host) { return of(host.parts) == first; });
  if (!alike) return pairs;
  for (const auto& [a, b] : first) pairs.push_back({a, b});
  return pairs;
}

ordered_json host_count(const Value& scenario) {
  constexpr std::array kCounts{1,  2,  3,  4,   6,   8,   10,   12,   16,   20,     24,    32,
                               48, 64, 96, 128, 256, 512, 1000, 2000, 5000, 10'000, 20'000};
  const Member* hosts = scenario.member("hosts");
  const auto count = hosts == nullptr ? 0 : hosts->value.members().size();
  ordered_json made = control("hosts", "Hosts", "Hosts", "how many; more are like the last one");
  made.erase("choices");
  made["value"] = std::to_string(count);
  ordered_json steps = ordered_json::array();
  bool known = false;
  for (const auto each : kCounts) {
    if (!known && static_cast<std::size_t>(each) > count) steps.push_back(count);
    known = known || static_cast<std::size_t>(each) >= count;
    steps.push_back(each);
  }
  if (!known) steps.push_back(count);
  made["steps"] = steps;
  return made;
}

/// The models that fit the slots of all hosts.
ordered_json gpu_model(const Value& scenario, const HostGpus& gpus, const Scope& scope,
                       const std::vector<SlottedHost>& hosts, const scenario::Library& library) {
  const std::string pointer = pointer_to("hosts", scope.host, "/gpus");
  ordered_json made = control("gpu-model", "Hosts", "GPU model", "GPUs in the server's slots");
  made["value"] = gpus.model;
  made["pointer"] = pointer;
  for (const auto& [name, gpu] : library.catalog->gpus) {
    const bool fits = std::ranges::none_of(hosts, [&gpu = gpu](const SlottedHost& host) {
      return topology::incompatibility(gpu, host.parts.server).has_value();
    });
    if (!fits) continue;
    auto set = ordered_json::array({place(pointer, fmt::format("{} x {}", gpus.count, name))});
    if (is_bridged(scenario, scope)) {
      set.push_back(place(sibling(pointer, "nvlink_bridges"), bridges_of(hosts, gpus.count, &gpu)));
    }
    add_choice(made, name, std::move(set));
  }
  return made;
}

ordered_json gpu_count(const Value& scenario, const HostGpus& gpus, const Scope& scope,
                       const std::vector<SlottedHost>& hosts) {
  const std::string pointer = pointer_to("hosts", scope.host, "/gpus");
  ordered_json made = control("gpu-count", "Hosts", "GPUs of a host", "GPUs in the server's slots");
  made["value"] = std::to_string(gpus.count);
  made["pointer"] = pointer;
  for (std::int64_t n = 1; n <= std::max(gpus.slots, gpus.count); ++n) {
    auto set = ordered_json::array({place(pointer, fmt::format("{} x {}", n, gpus.model))});
    if (is_bridged(scenario, scope)) {
      set.push_back(place(sibling(pointer, "nvlink_bridges"), bridges_of(hosts, n)));
    }
    add_choice(made, std::to_string(n), std::move(set));
  }
  return made;
}

/// "gpu0-gpu1, gpu2-gpu3", "none".
std::string pairs_text(const ordered_json& pairs) {
  std::vector<std::string> words;
  for (const ordered_json& pair : pairs) {
    if (!pair.is_array() || pair.size() != 2) return pairs.dump();
    words.push_back(fmt::format("gpu{}-gpu{}", pair[0].dump(), pair[1].dump()));
  }
  return words.empty() ? std::string("none") : fmt::format("{}", fmt::join(words, ", "));
}

ordered_json bridges(const Value& scenario, const HostGpus& gpus, const Scope& scope,
                     const std::vector<SlottedHost>& hosts) {
  ordered_json made =
      control("bridges", "Hosts", "NVLink bridges", "pairs of GPUs joined by NVLink bridges");
  const std::string pointer = pointer_to("hosts", scope.host, "/nvlink_bridges");
  made["pointer"] = pointer;
  const ordered_json pairs = bridges_of(hosts, gpus.count);
  add_choice(made, "none", ordered_json::array({place(pointer, nullptr)}));
  if (!pairs.empty()) {
    add_choice(made, pairs_text(pairs), ordered_json::array({place(pointer, pairs)}));
  }
  const Member* host = first_machine(scenario, "hosts", scope.host);
  const auto now = host == nullptr ? std::nullopt : input::find(host->value, "nvlink_bridges");
  made["value"] = now ? pairs_text(scenario::to_ordered_json(*now)) : std::string("none");
  return made;
}

/// How the GPUs of a VM are declared, in the words of the choices.
std::string guest_gpus(const Value& vm) {
  const auto gpus = input::find(vm, "gpus");
  if (!gpus || !gpus->is_object()) return "passthrough";
  const std::string mode = member_text(*gpus, "mode");
  if (const auto groups = input::find(*gpus, "device_groups"); groups && groups->is_array()) {
    std::vector<std::string> names;
    for (const Value& group : groups->elements()) {
      if (group.is_string()) names.push_back(group.string());
    }
    return fmt::format("{}", fmt::join(names, " + "));
  }
  const std::string profile = member_text(*gpus, "profile");
  return profile.empty() ? mode : profile;
}

/// Device groups of that many GPUs with NVLink until all GPUs of a host are in one.
void add_groups(ordered_json& made, const vsphere::Board& board, const HostGpus& gpus,
                const std::function<ordered_json(const ordered_json&)>& set) {
  for (const auto& [name, profile] : board.profiles) {
    if (!profile.is_whole() || !profile.has_cuda()) continue;
    for (const std::int64_t size : {2, 4, 8}) {
      if (size > gpus.count) continue;
      ordered_json groups = ordered_json::array();
      std::vector<std::string> names;
      for (std::int64_t n = 0; n + size <= gpus.count; n += size) {
        names.push_back(fmt::format("Nvidia:{}@{}%NVLink", size, name));
        groups.push_back(names.back());
      }
      add_choice(made, fmt::format("{}", fmt::join(names, " + ")), set(groups));
    }
  }
}

ordered_json guest_devices(const Value& scenario, const HostGpus& gpus, const Scope& scope,
                           const scenario::Library& library) {
  ordered_json made = control("vm-gpus", "VMs", "GPUs of a VM",
                              "passthrough, a vGPU profile, or device groups with NVLink");
  const Member* vm = first_machine(scenario, "vms", scope.vm);
  if (vm == nullptr) return nullptr;
  made["value"] = guest_gpus(vm->value);
  const std::string pointer = pointer_to("vms", scope.vm, "/gpus");
  const auto set = [&](const char* mode, const ordered_json& profile, const ordered_json& groups) {
    return ordered_json{place(pointer + "/mode", mode), place(pointer + "/profile", profile),
                        place(pointer + "/device_groups", groups)};
  };
  for (const vsphere::GpuMode& mode : vsphere::gpu_modes()) {
    if (mode.key == nullptr || mode.takes_profiles) continue;
    add_choice(made, mode.key, set(mode.key, nullptr, nullptr));
  }
  const vsphere::Board* board = library.vsphere->profiles.board_of(gpus.model);
  if (board == nullptr) return made;
  for (const auto& [name, profile] : board->profiles) {
    add_choice(made, name, set("vgpu", name, nullptr));
  }
  add_groups(made, *board, gpus,
             [&](const ordered_json& groups) { return set("vgpu", nullptr, groups); });
  return made;
}

ordered_json neighbours(const Value& scenario) {
  constexpr std::array kCores{0, 4, 8, 16, 24, 32, 48, 64, 96, 128};
  ordered_json made =
      control("neighbours", "Hosts", "Neighbours", "cores that others on the same hosts keep busy");
  for (const int cores : kCores) {
    const auto others = ordered_json::array({{{"host", "*"}, {"cores", cores}}});
    add_choice(
        made, cores == 0 ? "none" : fmt::format("{} cores", cores),
        ordered_json::array({place("/neighbours", cores == 0 ? ordered_json(nullptr) : others)}));
  }
  const auto now = input::find(scenario, "neighbours");
  made["value"] = "none";
  if (now) {
    const ordered_json said = scenario::to_ordered_json(*now);
    made["value"] = said.size() == 1 && said.front().contains("cores")
                        ? fmt::format("{} cores", said.front()["cores"].dump())
                        : said.dump();
  }
  return made;
}

}  // namespace

ordered_json device_controls(const Value& scenario, const scenario::Library& library,
                             const Scope& scope) {
  const auto hosts = slotted_hosts(scenario, scope.host, library);
  const HostGpus gpus = gpus_of(scenario, scope.host, hosts);
  ordered_json all = ordered_json::array();
  all.push_back(host_count(scenario));
  if (!gpus.model.empty()) {
    all.push_back(gpu_model(scenario, gpus, scope, hosts, library));
    all.push_back(gpu_count(scenario, gpus, scope, hosts));
    all.push_back(bridges(scenario, gpus, scope, hosts));
  }
  all.push_back(neighbours(scenario));
  if (ordered_json vms = vm_count_control(scenario, library, scope); !vms.is_null()) {
    all.push_back(std::move(vms));
  }
  ordered_json guest = guest_devices(scenario, gpus, scope, library);
  if (!guest.is_null()) all.push_back(std::move(guest));
  return all;
}

}  // namespace vgsim::studio
