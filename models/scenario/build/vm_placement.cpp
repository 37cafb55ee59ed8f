#include "models/scenario/build/vm_placement.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "models/scenario/read/layouts.hpp"
#include "models/scenario/read/library.hpp"
#include "topology/host_builder.hpp"
#include "topology/input/name_ranges.hpp"
#include "topology/look_up.hpp"

namespace vgsim::scenario {
namespace {

using input::Diagnostics;
using input::Named;

/// The hosts of a layout with what they have; equal hosts share an inventory.
struct Stock {
  std::vector<std::unique_ptr<vsphere::HostInventory>> inventories;
  std::vector<vsphere::PlacementHost> hosts;
  std::map<std::string, std::size_t> index;
};

Stock take_stock(const Layout& layout, const Library& library, const input::FileLoader& load,
                 Diagnostics& diagnostics) {
  Stock result;
  std::map<std::string, const vsphere::HostInventory*> by_content;
  for (const Named<Shared<LayoutHost>>& host : in_natural_order(layout.hosts)) {
    const vsphere::HostInventory*& inventory = by_content[(*host)->said];
    if (inventory == nullptr) {
      topology::Topology topology;
      topology::build_host(topology, library.catalog, host.name, (*host)->spec, host.origin, load,
                           diagnostics);
      if (diagnostics.has_errors()) return result;
      result.inventories.push_back(std::make_unique<vsphere::HostInventory>(
          vsphere::inventory_of(topology, 0, library.vsphere, (*host)->settings)));
      inventory = result.inventories.back().get();
    }
    result.index.emplace(host.name, result.hosts.size());
    result.hosts.push_back({host.name, inventory});
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

bool leaves_hosts_open(const Layout& layout) {
  return std::any_of(layout.vms.begin(), layout.vms.end(),
                     [](const Named<Shared<LayoutVm>>& vm) { return !(*vm)->spec.host; });
}

LayoutPlacement place_layout(const Layout& layout, const Library& library,
                             const input::FileLoader& load, Diagnostics& diagnostics) {
  LayoutPlacement result;
  result.name = layout.name;
  result.vsphere = *layout.vsphere;
  const Stock stock = take_stock(layout, library, load, diagnostics);
  if (diagnostics.has_errors()) return result;
  for (const auto& host : stock.hosts) result.hosts.push_back(host.name);
  std::vector<vsphere::PlacementRequest> requests;
  for (const Named<Shared<LayoutVm>>& vm : layout.vms) {
    const vsphere::VmSpec& spec = (*vm)->spec;
    vsphere::PlacementRequest request{
        vm.name, std::nullopt, vsphere::gpu_request(spec, library.vsphere.profiles, diagnostics),
        spec.settings.power_on};
    if (spec.host) {
      const auto* index = topology::look_up(stock.index, *spec.host, "host", diagnostics);
      if (index != nullptr) request.host = *index;
    }
    requests.push_back(std::move(request));
  }
  if (diagnostics.has_errors()) return result;
  result.report = vsphere::place_vms(stock.hosts, requests, library.vsphere, result.vsphere);
  return result;
}

tl::expected<std::vector<LayoutPlacement>, Diagnostics> place_scenario(
    const input::Value& document, const Library& library, const input::FileLoader& load) {
  Diagnostics diagnostics;
  std::vector<LayoutPlacement> placed;
  const Scenario scenario = read_scenario(document, library, diagnostics);
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
  for (const Layout& layout : scenario.layouts) {
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
