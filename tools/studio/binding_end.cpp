#include "tools/studio/binding_end.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "models/scenario/answer/bottleneck.hpp"
#include "models/scenario/read/library.hpp"
#include "tools/studio/panel/nic_choices.hpp"
#include "tools/studio/panel/slotted_hosts.hpp"
#include "topology/catalog/part_names.hpp"
#include "topology/input/json_reader.hpp"
#include "topology/input/typed.hpp"
#include "topology/input/units/unit_strings.hpp"

// A link of a NIC has three rates: the NIC's port, the port of the switch, and the slot. The
// slowest binds; that of the slot is a separate resource, which the bottleneck names itself.

namespace vgsim::studio {
namespace {

using input::Value;

std::optional<Value> at(const std::optional<Value>& object, const std::string& key) {
  return object && object->is_object() ? input::find(*object, key) : std::nullopt;
}

/// The model of "esx01/vmnic4 -> leaf1".
const topology::NicModel* nic_of(const Studio& studio, const std::string& resource) {
  const std::size_t slash = resource.find('/');
  if (slash == resource.npos) return nullptr;
  const std::string host = resource.substr(0, slash);
  const std::string nic = resource.substr(slash + 1, resource.find(' ', slash) - slash - 1);
  const auto name = at(at(at(at(at(studio.variant(), "hosts"), host), "nics"), nic), "nic");
  if (!name || !name->is_string()) return nullptr;
  const topology::Catalog& catalog = *studio.library().catalog;
  const auto known = topology::matching_part(catalog, "nics", name->string());
  return known ? &catalog.nics.at(*known) : nullptr;
}

std::string gbits(BytesPerSecond rate) {
  return fmt::format("{:g} Gbit/s", static_cast<double>(rate.count()) * 8e-9);
}

Change change_of(const std::string& title, const nlohmann::ordered_json& set) {
  Change change;
  change.title = title;
  for (const auto& place : set) {
    const auto value = input::read_json(input::make_source("", place["value"].dump()));
    if (value) change.set.push_back({place["pointer"].get<std::string>(), *value});
  }
  return change;
}

}  // namespace

std::optional<BindingEnd> binding_end(const Studio& studio) {
  const auto& result = studio.answer().result;
  if (!result || result->refused || !result->bottleneck) return std::nullopt;
  const bool is_link = scenario::limit_of(*result).kind == scenario::Limit::Kind::kLink;
  if (!is_link || result->bottleneck->kind != "nic") return std::nullopt;
  const topology::NicModel* nic = nic_of(studio, result->bottleneck->resource);
  const auto said = at(at(studio.variant(), "fabric"), "host_link");
  if (nic == nullptr || !said || !said->is_string()) return std::nullopt;
  const auto port = input::parse_bytes_per_second(said->string());
  if (!port) return std::nullopt;
  const BytesPerSecond own = nic->port_rate.value;
  if (*port < own) {
    const std::string title = fmt::format("switch ports of {}", gbits(own));
    return BindingEnd{
        fmt::format("The switch port of {} binds, not the port of {} of {}", gbits(*port),
                    gbits(own), nic->id),
        change_of(title, network_for(studio.variant(), *nic, *studio.library().catalog))};
  }
  if (*port == own) {
    return BindingEnd{
        fmt::format("Both ends have {}: a faster NIC needs faster switch ports", gbits(own)),
        std::nullopt};
  }
  return BindingEnd{fmt::format("The port of {} of {} binds; the switch port has {}", gbits(own),
                                nic->id, gbits(*port)),
                    std::nullopt};
}

}  // namespace vgsim::studio
