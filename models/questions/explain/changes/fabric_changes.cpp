#include <fmt/core.h>

#include <algorithm>

#include "models/questions/explain/changes/change_context.hpp"
#include "topology/input/units/unit_strings.hpp"

namespace vgsim::scenario {

namespace {

/// Switch ports as fast as the fastest NIC.
void add_faster_ports(const ChangeContext& at, std::vector<Change>& changes) {
  const auto& now = (*layout_of(at).fabric)->host_link;
  BytesPerSecond fastest{};
  const auto& topology = at.prepared.layouts.front().placement.cluster->topology;
  for (const topology::Host& host : topology.hosts) {
    for (const topology::HostNic& nic : host.nics) fastest = std::max(fastest, nic.port_rate);
  }
  if (!now || *now >= fastest) return;
  Change change;
  change.id = "faster-ports";
  change.title =
      fmt::format("switch ports of {} instead of {}", in_gigabits(fastest), in_gigabits(*now));
  change.overrides = {set_text("/fabric/host_link", in_gigabits(fastest))};
  if (lift_switch(at, fastest, change)) changes.push_back(std::move(change));
}

}  // namespace

void add_fabric_changes(const ChangeContext& at, std::vector<Change>& changes) {
  const Layout& layout = layout_of(at);
  if (!layout.fabric) return;
  const topology::FabricSpec& fabric = **layout.fabric;
  const auto add_doubled = [&](const char* id, const std::string& pointer, const char* what,
                               const std::optional<BytesPerSecond>& rate) {
    if (!rate) return;
    const std::string doubled = input::format_rate(BytesPerSecond{2 * rate->count()});
    changes.push_back(
        {id,
         fmt::format("{} of {} instead of {}", what, doubled, input::format_rate(*rate)),
         {set_text(pointer, doubled)},
         {"switches with such ports"},
         {},
         false});
  };
  add_doubled("faster-uplinks", "/fabric/uplink", "leaf-spine links", fabric.uplink);
  add_faster_ports(at, changes);
  if (fabric.spines) {
    changes.push_back({"more-spines",
                       fmt::format("{} spines instead of {}", 2 * *fabric.spines, *fabric.spines),
                       {set_number("/fabric/spines", 2.0 * static_cast<double>(*fabric.spines))},
                       {"a free port on every leaf for each new spine"},
                       {},
                       false});
  }
  if (fabric.kind == topology::FabricKind::kLeafSpine) {
    changes.push_back({"one-switch",
                       "all hosts on one non-blocking switch",
                       {set_text("/fabric/kind", "single-switch"), take_away("/fabric/leaves"),
                        take_away("/fabric/spines"), take_away("/fabric/uplink")},
                       {"a switch with a port for every NIC"},
                       {},
                       false});
  }
}

}  // namespace vgsim::scenario
