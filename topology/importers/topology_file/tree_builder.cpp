#include "topology/importers/topology_file/tree_builder.hpp"

#include <fmt/core.h>

#include "topology/input/suggest.hpp"
#include "topology/input/typed.hpp"

namespace vgsim::topology::inventory {
namespace {

constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);
constexpr std::size_t kMaxTreeDepth = 32;

}  // namespace

using input::as_bool;
using input::as_string;
using input::find;
using input::suggest;
using input::Value;

void TreeBuilder::add_numa_node(const Value& value, NumaNode node) {
  declare(value, {true, host_.numa_nodes.size()});
  host_.numa_nodes.push_back(std::move(node));
}

void TreeBuilder::add_device(const Value& value, Device device) {
  declare(value, {false, devices_.size()});
  devices_.push_back({value, std::move(device), {}});
}

/// Names can be used before they are declared, so everything is collected first. Then each device
/// is attached to its parent, and trees are moved out from their roots; devices not reached from a
/// root are in a cycle.
void TreeBuilder::build() {
  for (std::size_t d = 0; d < devices_.size(); ++d) {
    const auto under = find(devices_[d].value, "under");
    if (!under) {
      tops_.emplace_back(d, kNowhere);
      continue;
    }
    const auto place = places_.find(as_string(*under));
    if (place == places_.end()) {
      error(*under, fmt::format("no device or NUMA node \"{}\"", as_string(*under)));
    } else if (place->second.is_numa_node) {
      tops_.emplace_back(d, place->second.index);
    } else {
      devices_[place->second.index].below.push_back(d);
    }
  }
  if (diagnostics_.has_errors()) return;
  for (const auto& [device, node] : tops_) attach(device, node);
  for (const Flat& flat : devices_) {
    if (!flat.attached) error(flat.value, "this device is below itself");
  }
}

void TreeBuilder::error(const Value& at, std::string message) {
  std::vector<std::string> known;
  for (const auto& [name, place] : places_) known.push_back(name);
  diagnostics_.error("E411", at.location(), at.pointer(), std::move(message), {},
                     at.is_string() ? suggest(as_string(at), known) : std::vector<std::string>());
}

void TreeBuilder::declare(const Value& value, Place place) {
  const Value name = *find(value, "name");
  if (places_.emplace(as_string(name), place).second) return;
  diagnostics_.error("E411", name.location(), name.pointer(),
                     fmt::format("the name \"{}\" is taken", as_string(name)),
                     "a unique name for each NUMA node and device");
}

void TreeBuilder::attach(std::size_t top, std::size_t node) {
  Device device = collect(top, 1);
  if (node == kNowhere) {
    host_.unplaced.push_back(std::move(device));
    return;
  }
  const auto without = find(devices_[top].value, "without_pcie");
  auto& list = without && as_bool(*without) ? host_.numa_nodes[node].without_pcie
                                            : host_.numa_nodes[node].devices;
  list.push_back(std::move(device));
}

Device TreeBuilder::collect(std::size_t index, std::size_t depth) {
  Flat& flat = devices_[index];
  flat.attached = true;
  Device device = std::move(flat.device);
  if (depth > kMaxTreeDepth) {
    error(flat.value, fmt::format("more than {} devices one under another", kMaxTreeDepth));
    return device;
  }
  for (const std::size_t child : flat.below) {
    device.below.push_back(collect(child, depth + 1));
  }
  return device;
}

}  // namespace vgsim::topology::inventory
