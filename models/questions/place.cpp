#include "models/questions/place.hpp"

#include <nlohmann/json.hpp>

#include "models/scenario/read/layouts.hpp"
#include "models/scenario/read/library.hpp"

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

}  // namespace

tl::expected<std::vector<LayoutPlacement>, Diagnostics> place_scenario(
    const Document& document, const Library& library, const input::FileLoader& load) {
  Diagnostics diagnostics;
  std::vector<LayoutPlacement> placed;
  const auto scenario = read_scenario(document, library);
  if (!scenario) return tl::unexpected(scenario.error());
  for (const auto& layout : scenario->layouts) {
    placed.push_back(place_layout(*layout, library, load, diagnostics));
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
