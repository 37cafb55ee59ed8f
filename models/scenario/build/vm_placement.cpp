#include "models/scenario/build/vm_placement.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "models/scenario/read/library.hpp"
#include "topology/hosts/host_builder.hpp"
#include "topology/input/name_ranges.hpp"
#include "topology/look_up.hpp"

namespace vgsim::scenario {
namespace {

using input::Diagnostics;
using input::Named;

/// The hosts of a layout with their inventories; equal hosts share one.
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
      topology::build_host(topology, *library.catalog, host.name, (*host)->spec, host.origin, load,
                           diagnostics);
      if (diagnostics.has_errors()) return result;
      result.inventories.push_back(std::make_unique<vsphere::HostInventory>(
          vsphere::inventory_of(topology, 0, *library.vsphere, (*host)->settings, diagnostics)));
      inventory = result.inventories.back().get();
    }
    result.index.emplace(host.name, result.hosts.size());
    result.hosts.push_back({host.name, inventory});
  }
  return result;
}

}  // namespace

bool HostMaintenance::can_be_emptied() const {
  return std::all_of(moves.begin(), moves.end(),
                     [](const Move& move) { return !move.host.empty(); });
}

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
    vsphere::PlacementRequest request =
        vsphere::placement_request(vm.name, spec, library.vsphere->profiles, diagnostics);
    if (spec.host) {
      const auto* index = topology::look_up(stock.index, *spec.host, "host", diagnostics);
      if (index != nullptr) request.host = *index;
    }
    requests.push_back(std::move(request));
  }
  if (diagnostics.has_errors()) return result;
  result.report = vsphere::place_vms(stock.hosts, requests, *library.vsphere, result.vsphere);
  return result;
}

}  // namespace vgsim::scenario
