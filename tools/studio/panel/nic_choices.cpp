#include "tools/studio/panel/nic_choices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "models/scenario/read/library.hpp"
#include "tools/studio/panel/slotted_hosts.hpp"
#include "tools/studio/responses.hpp"
#include "topology/catalog/part_fit.hpp"
#include "topology/catalog/part_names.hpp"
#include "topology/input/typed.hpp"
#include "topology/input/units/unit_strings.hpp"

namespace vgsim::studio {
namespace {

using input::Value;
using nlohmann::ordered_json;

}  // namespace

ordered_json network_for(const Value& scenario, const topology::NicModel& nic,
                         const topology::Catalog& catalog) {
  ordered_json set = ordered_json::array();
  const auto fabric = input::find(scenario, "fabric");
  if (!fabric) return set;
  const auto link = input::parse_bytes_per_second(member_text(*fabric, "host_link"));
  if (link && *link < nic.port_rate.value) {
    set.push_back(
        {{"pointer", "/fabric/host_link"}, {"value", input::format_rate(nic.port_rate.value)}});
  }
  const auto name = topology::matching_part(catalog, "switches", member_text(*fabric, "switch"));
  if (!name || catalog.switches.at(*name).port_rate >= nic.port_rate.value) return set;
  const auto* other =
      topology::switch_with(nic.port_rate.value, catalog.switches.at(*name), catalog);
  if (other != nullptr) set.push_back({{"pointer", "/fabric/switch"}, {"value", other->id}});
  return set;
}

std::vector<std::string> neighbours_of_nics(const Value& scenario, const std::string& host,
                                            const scenario::Library& library) {
  std::vector<std::string> names;
  const auto hosts = slotted_hosts(scenario, host, library);
  if (hosts.empty()) return names;
  std::size_t gpus = hosts.front().parts.gpus;
  std::int64_t sockets = hosts.front().parts.server.sockets;
  for (const SlottedHost& each : hosts) {
    gpus = std::min(gpus, each.parts.gpus);
    sockets = std::min(sockets, each.parts.server.sockets);
  }
  for (std::size_t n = 0; n < gpus; ++n) names.push_back(fmt::format("gpu{}", n));
  for (std::int64_t n = 0; n < sockets; ++n) names.push_back(fmt::format("socket{}", n));
  return names;
}

ordered_json nic_choices(const Value& scenario, const std::string& host, const std::string& pointer,
                         const scenario::Library& library) {
  const auto hosts = slotted_hosts(scenario, host, library);
  const topology::Catalog& catalog = *library.catalog;
  ordered_json choices = ordered_json::array();
  for (const auto& [name, model] : catalog.nics) {
    bool is_there = false;
    const bool fits = std::ranges::all_of(hosts, [&, &name = name](const auto& each) {
      auto nics = each.spec.nics;
      for (auto& nic : nics)
        is_there = std::exchange(nic.value.nic.value, name) == name || is_there;
      return topology::places_of(each.parts, nics, catalog).has_value();
    });
    if (!fits) continue;
    ordered_json choice{{"label", name}, {"value", name}};
    ordered_json network = is_there ? ordered_json::array() : network_for(scenario, model, catalog);
    if (!network.empty()) {
      choice["label"] = fmt::format("{}, with switch ports of {:g} Gbit/s", name,
                                    static_cast<double>(model.port_rate.value.count()) * 8e-9);
      choice["set"] = ordered_json::array({{{"pointer", pointer}, {"value", name}}});
      choice["set"].insert(choice["set"].end(), network.begin(), network.end());
    }
    choices.push_back(std::move(choice));
  }
  return choices;
}

}  // namespace vgsim::studio
