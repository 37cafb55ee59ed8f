#include "models/scenario/vm_placement.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "models/scenario/library.hpp"
#include "topology/host_builder.hpp"
#include "topology/host_input.hpp"
#include "topology/input/name_ranges.hpp"
#include "topology/input/typed.hpp"

namespace vgsim::scenario {
namespace {

using input::Diagnostics;
using input::find;
using input::Member;
using input::Value;

constexpr const char* kDefaultVersion = "8.0U3";

/// The hosts of a layout with what they have; equal hosts share an inventory.
struct Hosts {
  std::vector<std::unique_ptr<vsphere::HostInventory>> inventories;
  std::vector<vsphere::PlacementHost> hosts;
  std::map<std::string, std::size_t> index;
};

Hosts take_stock(const Value& layout, const Library& library, const input::FileLoader& load,
                 Diagnostics& diagnostics) {
  Hosts result;
  std::map<std::string, const vsphere::HostInventory*> by_content;
  std::vector<Member> members = find(layout, "hosts")->members();
  std::stable_sort(members.begin(), members.end(), [](const Member& a, const Member& b) {
    return input::natural_less(a.name, b.name);
  });
  for (const Member& member : members) {
    const std::string content = input::to_canonical_string(member.value);
    const vsphere::HostInventory*& inventory = by_content[content];
    if (inventory == nullptr) {
      topology::Topology topology;
      topology::build_host(topology, library.catalog, member.name, member.value, load, diagnostics);
      if (diagnostics.has_errors()) return result;
      result.inventories.push_back(std::make_unique<vsphere::HostInventory>(vsphere::inventory_of(
          topology, 0, library.vsphere, vsphere::read_host_settings(member.value))));
      inventory = result.inventories.back().get();
    }
    result.index.emplace(member.name, result.hosts.size());
    result.hosts.push_back({member.name, inventory});
  }
  return result;
}

nlohmann::ordered_json free_json(const vsphere::FreeGroups& free) {
  nlohmann::ordered_json groups = nlohmann::ordered_json::object();
  for (const auto& [size, count] : free) groups[std::to_string(size)] = count;
  return groups;
}

nlohmann::ordered_json step_json(const vsphere::PlacementStep& step,
                                 const std::vector<std::string>& hosts) {
  nlohmann::ordered_json out;
  out["vm"] = step.vm;
  out["host"] = step.host ? nlohmann::ordered_json(hosts[*step.host]) : nullptr;
  out["gpus"] = nlohmann::ordered_json::array();
  for (const vsphere::TakenGpu& gpu : step.gpus) {
    auto& entry = out["gpus"].emplace_back();
    entry["gpu"] = "gpu" + std::to_string(gpu.gpu);
    if (gpu.profile != nullptr) entry["profile"] = gpu.profile->name;
  }
  for (const vsphere::Refusal& refusal : step.refusals) {
    out["refused"].push_back({{"rule", refusal.rule}, {"text", refusal.text}});
  }
  if (!step.free.empty()) out["free_groups"] = free_json(step.free);
  return out;
}

}  // namespace

std::string vsphere_version(const Value& layout) {
  const auto version = find(layout, "vsphere");
  return version ? input::as_string(*version) : kDefaultVersion;
}

bool leaves_hosts_open(const Value& layout) {
  const auto vms = find(layout, "vms");
  if (!vms) return false;
  return std::any_of(vms->members().begin(), vms->members().end(),
                     [](const Member& vm) { return vm.value.member("host") == nullptr; });
}

LayoutPlacement place_layout(const LayoutInput& layout, const Library& library,
                             const input::FileLoader& load, Diagnostics& diagnostics) {
  LayoutPlacement result;
  result.name = layout.name;
  result.vsphere = vsphere_version(layout.value);
  const Hosts hosts = take_stock(layout.value, library, load, diagnostics);
  if (diagnostics.has_errors()) return result;
  for (const auto& host : hosts.hosts) result.hosts.push_back(host.name);
  std::vector<vsphere::PlacementRequest> requests;
  if (const auto vms = find(layout.value, "vms")) {
    for (const Member& vm : vms->members()) {
      vsphere::PlacementRequest request{
          vm.name, std::nullopt,
          vsphere::read_gpu_request(vm.value, library.vsphere.profiles, diagnostics),
          vsphere::read_vm_settings(vm.value).power_on};
      if (const auto host = find(vm.value, "host")) {
        const auto* index = topology::look_up(hosts.index, *host, "host", diagnostics);
        if (index != nullptr) request.host = *index;
      }
      requests.push_back(std::move(request));
    }
  }
  if (diagnostics.has_errors()) return result;
  result.report = vsphere::place_vms(hosts.hosts, requests, library.vsphere, result.vsphere);
  return result;
}

tl::expected<std::vector<LayoutPlacement>, Diagnostics> place_scenario(
    const Value& document, const Library& library, const input::FileLoader& load) {
  Diagnostics diagnostics;
  std::vector<LayoutPlacement> placed;
  for (const LayoutInput& layout : read_layouts(document, library, diagnostics)) {
    placed.push_back(place_layout(layout, library, load, diagnostics));
  }
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
  return placed;
}

std::string to_json(const std::vector<LayoutPlacement>& layouts) {
  nlohmann::ordered_json out;
  out["schema"] = "vgsim.placement/1";
  out["layouts"] = nlohmann::ordered_json::object();
  for (const LayoutPlacement& layout : layouts) {
    auto& entry = out["layouts"][layout.name];
    entry["vsphere"] = layout.vsphere;
    entry["all_fit"] = layout.report.all_fit();
    entry["steps"] = nlohmann::ordered_json::array();
    for (const auto& step : layout.report.steps) {
      entry["steps"].push_back(step_json(step, layout.hosts));
    }
    entry["left"] = nlohmann::ordered_json::object();
    for (std::size_t h = 0; h < layout.hosts.size() && h < layout.report.left.size(); ++h) {
      const vsphere::HostLeft& left = layout.report.left[h];
      entry["left"][layout.hosts[h]] = {{"free_gpus", left.free_gpus},
                                        {"free_groups", free_json(left.free)},
                                        {"stranded_framebuffer_gb", left.stranded_gb},
                                        {"bound_framebuffer_gb", left.bound_gb}};
    }
    entry["better_order"] = layout.report.better_order
                                ? nlohmann::ordered_json(*layout.report.better_order)
                                : nlohmann::ordered_json(nullptr);
  }
  return out.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace vgsim::scenario
