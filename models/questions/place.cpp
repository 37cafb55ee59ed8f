#include "models/questions/place.hpp"

#include <map>
#include <nlohmann/json.hpp>

#include "models/scenario/build/job_builder.hpp"
#include "models/scenario/build/relocation.hpp"
#include "models/scenario/read/layouts.hpp"
#include "models/scenario/read/library.hpp"
#include "models/vsphere/lifecycle.hpp"

namespace vgsim::scenario {
namespace {

using input::Diagnostics;

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

/// Empties one host of each kind, the VMs of the others staying where they are.
std::vector<HostMaintenance> maintenance_of(const Layout& layout, const Library& library,
                                            const input::FileLoader& load) {
  Diagnostics diagnostics;  // of what place_layout() does not need, such as the job's VMs
  const Cluster cluster = build_cluster(layout, library, load, distinction_of(layout), diagnostics);
  if (diagnostics.has_errors() || cluster.hosts.size() < 2 || layout.vms.empty()) return {};
  const Relocation relocation(layout, cluster, library);
  std::map<std::size_t, std::size_t> by_kind;
  std::vector<HostMaintenance> result;
  for (std::size_t h = 0; h < cluster.hosts.size(); ++h) {
    const auto [at, is_new] = by_kind.try_emplace(cluster.hosts[h].kind, result.size());
    if (!is_new) {
      result[at->second].hosts.push_back(cluster.hosts[h].name);
      continue;
    }
    HostMaintenance& own = result.emplace_back();
    own.hosts.push_back(cluster.hosts[h].name);
    for (const Departure& departure : relocation.evacuate(h)) {
      const Machine& machine = cluster.machines[departure.machine];
      const auto lacks = vsphere::lacks(cluster.kinds[machine.kind], vsphere::Operation::kVmotion,
                                        library.vsphere->versions, cluster.vsphere);
      HostMaintenance::Move& move = own.moves.emplace_back();
      move.vm = machine.name;
      move.live = departure.host && !lacks;
      if (departure.host) move.host = cluster.hosts[*departure.host].name;
      move.why = departure.host ? lacks.value_or("") : departure.why_not;
    }
  }
  return result;
}

nlohmann::ordered_json maintenance_json(const HostMaintenance& host) {
  nlohmann::ordered_json out;
  out["hosts"] = host.hosts;
  out["can_be_emptied"] = host.can_be_emptied();
  out["vms"] = nlohmann::ordered_json::object();
  for (const HostMaintenance::Move& move : host.moves) {
    auto& one = out["vms"][move.vm];
    one["host"] =
        move.host.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(move.host);
    one["by"] = move.host.empty() ? nlohmann::ordered_json(nullptr)
                                  : nlohmann::ordered_json(move.live ? "vmotion" : "restart");
    if (!move.why.empty()) one["why"] = move.why;
  }
  return out;
}

}  // namespace

tl::expected<std::vector<LayoutPlacement>, Diagnostics> place_scenario(
    const Document& document, const Library& library, const input::FileLoader& load) {
  Diagnostics diagnostics;
  std::vector<LayoutPlacement> placed;
  const auto scenario = read_scenario(document, library);
  if (!scenario) return tl::unexpected(scenario.error());
  for (const auto& layout : scenario->layouts) {
    placed.push_back(place_layout(*layout, library, load, diagnostics));
    if (diagnostics.has_errors() || !placed.back().report.all_fit()) continue;
    placed.back().maintenance = maintenance_of(*layout, library, load);
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
    entry["maintenance"] = nlohmann::ordered_json::array();
    for (const HostMaintenance& host : layout.maintenance) {
      entry["maintenance"].push_back(maintenance_json(host));
    }
    entry["better_order"] = layout.report.better_order
                                ? nlohmann::ordered_json(*layout.report.better_order)
                                : nlohmann::ordered_json(nullptr);
  }
  return out.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace vgsim::scenario
