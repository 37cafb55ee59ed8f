#include "models/questions/explain/changes/change_context.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <utility>

#include "models/scenario/read/library.hpp"
#include "topology/catalog/part_fit.hpp"
#include "topology/catalog/part_names.hpp"

namespace vgsim::scenario {

const Layout& layout_of(const ChangeContext& at) {
  return *at.prepared.layouts.front().placement.layout;
}

std::vector<const input::Named<Shared<LayoutVm>>*> vms_of_job(const ChangeContext& at) {
  const Placement& placement = at.prepared.layouts.front().placement;
  std::set<std::string> names;
  for (const JobMachine& each : placement.job.machines) {
    names.insert(placement.cluster->machines[each.machine].name);
  }
  std::vector<const input::Named<Shared<LayoutVm>>*> vms;
  for (const auto& vm : layout_of(at).vms) {
    if (names.contains(vm.name)) vms.push_back(&vm);
  }
  return vms;
}

bool applies(const LayoutResult& result, std::string_view rule) {
  return std::any_of(result.warnings.begin(), result.warnings.end(),
                     [&](const Warning& warning) { return warning.rule == rule; });
}

const DrawnHost* drawn(const LayoutResult& result) {
  if (!result.picture || result.picture->hosts.empty()) return nullptr;
  return &result.picture->hosts.front();
}

const topology::NetworkSwitchModel* switch_of(const ChangeContext& at) {
  const auto& fabric = layout_of(at).fabric;
  if (!fabric || !(*fabric)->network_switch) return nullptr;
  const auto name =
      topology::matching_part(*at.library.catalog, "switches", **(*fabric)->network_switch);
  return name ? &at.library.catalog->switches.at(*name) : nullptr;
}

std::string in_gigabits(BytesPerSecond rate) {
  return fmt::format("{:.4g} Gbit/s", static_cast<double>(rate.count()) * 8e-9);
}

bool lift_switch(const ChangeContext& at, BytesPerSecond rate, Change& change) {
  change.needs.push_back(fmt::format("switch ports of {}", in_gigabits(rate)));
  const topology::NetworkSwitchModel* now = switch_of(at);
  if (now == nullptr || now->port_rate >= rate) return true;
  const auto* other = topology::switch_with(rate, *now, *at.library.catalog);
  if (other == nullptr) return false;
  change.title += fmt::format(", switch {}", other->id);
  change.overrides.push_back(set_text("/fabric/switch", other->id));
  return true;
}

bool lift_ports(const ChangeContext& at, BytesPerSecond rate, Change& change) {
  const auto& fabric = layout_of(at).fabric;
  if (fabric && (*fabric)->host_link && *(*fabric)->host_link < rate) {
    change.title += fmt::format(", ports of {}", in_gigabits(rate));
    change.overrides.push_back(set_text("/fabric/host_link", in_gigabits(rate)));
  }
  return lift_switch(at, rate, change);
}

void add_if_any(Change change, std::vector<Change>& changes) {
  if (!change.overrides.empty()) changes.push_back(std::move(change));
}

}  // namespace vgsim::scenario
