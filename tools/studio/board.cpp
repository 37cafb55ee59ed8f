#include "tools/studio/board.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "models/questions/place.hpp"
#include "models/scenario/read/library.hpp"
#include "topology/input/typed.hpp"

namespace vgsim::studio {
namespace {

using nlohmann::ordered_json;
using scenario::LayoutPlacement;
using vsphere::HostInventory;
using vsphere::PlacementStep;

const HostInventory* inventory_of(const Studio& studio, const std::string& host) {
  const auto* prepared = studio.prepared();
  if (prepared == nullptr) return nullptr;
  const scenario::Cluster& cluster = *prepared->layouts.front().placement.cluster;
  const auto found = std::find_if(cluster.hosts.begin(), cluster.hosts.end(),
                                  [&](const auto& each) { return each.name == host; });
  if (found == cluster.hosts.end() || found->kind >= cluster.inventory.size()) return nullptr;
  return &cluster.inventory[found->kind];
}

/// The share of a GPU that a VM takes.
double share_of(const vsphere::TakenGpu& taken, const HostInventory& inventory) {
  const vsphere::Board* board = inventory.boards[taken.gpu];
  if (taken.profile == nullptr || board == nullptr) return 1.0;
  return std::min(1.0, static_cast<double>(taken.profile->framebuffer.count()) /
                           static_cast<double>(board->memory.count()));
}

ordered_json host_json(const Studio& studio, const LayoutPlacement& placed, std::size_t h) {
  ordered_json host{{"name", placed.hosts[h]}, {"gpus", ordered_json::array()}};
  if (h < placed.report.left.size()) {
    host["free_gpus"] = placed.report.left[h].free_gpus;
    host["stranded_gb"] = placed.report.left[h].stranded_gb;
  }
  const HostInventory* inventory = inventory_of(studio, placed.hosts[h]);
  if (inventory == nullptr) return host;
  for (std::size_t g = 0; g < inventory->gpus.size(); ++g) {
    host["gpus"].push_back({{"name", "gpu" + std::to_string(g)},
                            {"model", inventory->gpus[g]},
                            {"parts", ordered_json::array()}});
  }
  for (const PlacementStep& step : placed.report.steps) {
    if (step.host != h) continue;
    for (const vsphere::TakenGpu& taken : step.gpus) {
      if (taken.gpu >= inventory->gpus.size()) continue;
      host["gpus"][taken.gpu]["parts"].push_back(
          {{"vm", step.vm},
           {"profile", taken.profile == nullptr ? "" : taken.profile->name},
           {"share", share_of(taken, *inventory)}});
    }
  }
  return host;
}

ordered_json vm_json(const Studio& studio, const LayoutPlacement& placed,
                     const PlacementStep& step) {
  ordered_json vm{{"name", step.vm},
                  {"host", step.host ? ordered_json(placed.hosts[*step.host]) : nullptr},
                  {"tied", nullptr},
                  {"power_on", 0},
                  {"refused", ordered_json::array()}};
  const input::Member* vms = studio.variant().member("vms");
  if (const input::Member* said = vms == nullptr ? nullptr : vms->value.member(step.vm)) {
    if (const auto host = input::find(said->value, "host"); host && host->is_string()) {
      vm["tied"] = host->string();
    }
    if (const auto order = input::find(said->value, "power_on")) {
      vm["power_on"] = input::as_count(*order);
    }
  }
  for (const vsphere::Refusal& refusal : step.refusals) {
    vm["refused"].push_back({{"rule", refusal.rule}, {"text", refusal.text}});
  }
  return vm;
}

}  // namespace

ordered_json board_json(const Studio& studio) {
  const auto layouts =
      scenario::place_scenario(studio.document_alone(), studio.library(), studio.loader());
  if (!layouts) return {{"error", input::render(layouts.error())}};
  const LayoutPlacement& placed = layouts->front();
  ordered_json board{{"hosts", ordered_json::array()}, {"vms", ordered_json::array()}};
  for (std::size_t h = 0; h < placed.hosts.size(); ++h) {
    board["hosts"].push_back(host_json(studio, placed, h));
  }
  for (const PlacementStep& step : placed.report.steps) {
    board["vms"].push_back(vm_json(studio, placed, step));
  }
  const auto& better = placed.report.better_order;
  board["better_order"] = better ? ordered_json(*better) : ordered_json(nullptr);
  return board;
}

}  // namespace vgsim::studio
