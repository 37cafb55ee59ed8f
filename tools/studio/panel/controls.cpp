#include "tools/studio/panel/controls.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "models/scenario/answer/manifest.hpp"
#include "models/scenario/read/library.hpp"
#include "tools/studio/panel/device_choices.hpp"
#include "tools/studio/panel/nic_choices.hpp"
#include "tools/studio/panel/schema.hpp"
#include "tools/studio/panel/slider_steps.hpp"

namespace vgsim::studio {
namespace {

using input::Member;
using input::Value;
using nlohmann::ordered_json;

/// Source of the choices of a control.
enum class From { kSchema, kServers, kNics, kNetworks, kSwitches, kNear };

/// A pointer that has a control, in the order of the panel.
struct Place {
  const char* group;
  const char* label;
  const char* pointer;
  From from = From::kSchema;
  bool required = false;  ///< it cannot be removed
};

constexpr std::array kPlaces{
    Place{"Hosts", "Server", "/hosts/*/server", From::kServers, true},
    Place{"Hosts", "NIC model", "/hosts/*/nics/*/nic", From::kNics, true},
    Place{"Hosts", "NIC next to", "/hosts/*/nics/*/near", From::kNear},
    Place{"Hosts", "Access control services", "/hosts/*/acs"},
    Place{"Hosts", "Peer-to-peer over PCIe", "/hosts/*/pcie_p2p"},
    Place{"Hosts", "vGPU scheduler", "/hosts/*/vgpu/scheduler"},
    Place{"Hosts", "Storage, read", "/hosts/*/storage/read"},
    Place{"Network", "Kind", "/fabric/kind", From::kSchema, true},
    Place{"Network", "Link of a host", "/fabric/host_link"},
    Place{"Network", "Uplink of a leaf", "/fabric/uplink"},
    Place{"Network", "Leaves", "/fabric/leaves"},
    Place{"Network", "Spines", "/fabric/spines"},
    Place{"Network", "Switch", "/fabric/switch", From::kSwitches},
    Place{"VMs", "vSphere", "/vsphere"},
    Place{"VMs", "Topology file", "/vms/*/guest_topology"},
    Place{"VMs", "Peer-to-peer in the guest", "/vms/*/allow_p2p"},
    Place{"VMs", "NICs of the VM", "/vms/*/nics/*", From::kSchema, true},
    Place{"VMs", "vCPUs", "/vms/*/vcpus"},
    Place{"Job", "Network", "/job/network", From::kNetworks, true},
    Place{"Job", "Batch of a GPU", "/job/batch_per_gpu"},
    Place{"Job", "Global batch", "/job/global_batch"},
    Place{"Job", "Sequence length", "/job/sequence_length"},
    Place{"Job", "Epochs", "/job/epochs"},
    Place{"Job", "Precision", "/job/precision"},
    Place{"Job", "Gradients", "/job/gradients"},
    Place{"Job", "Optimizer", "/job/optimizer"},
    Place{"Job", "Tensor parallel", "/job/parallel/tensor"},
    Place{"Job", "Pipeline stages", "/job/parallel/pipeline"},
    Place{"Job", "Sharding", "/job/parallel/sharding"},
    Place{"Job", "Gradient buckets", "/job/buckets/cap"},
    Place{"Job", "Overlap", "/job/overlap"},
    Place{"Job", "Recompute", "/job/recompute"},
    Place{"Job", "Decoding", "/job/input/decode"},
    Place{"Prices", "Currency", "/prices/currency"},
    Place{"Prices", "GPU-hour", "/prices/gpu_hour"},
    Place{"Prices", "Host-hour", "/prices/host_hour"},
    Place{"Prices", "Licence for vGPUs, GPU-hour", "/prices/licence_gpu_hour"},
    Place{"Prices", "kWh", "/prices/kwh"},
    Place{"Prices", "Power usage effectiveness", "/prices/pue"},
};

/// Description of a pointer; for a member under a free name that of its container.
std::string about(const ordered_json& schema, const std::string& pointer) {
  const std::string own = schema.value("description", "");
  return own.empty() ? schema_at(pointer.substr(0, pointer.rfind('/'))).value("description", "")
                     : own;
}

/// Replaces the first "*" of the pointer by the names of the scope.
std::string scoped(const std::string& pointer, const Scope& scope) {
  for (const auto& [machines, name] :
       {std::pair("/hosts/*", scope.host), std::pair("/vms/*", scope.vm)}) {
    if (name.empty() || !pointer.starts_with(machines)) continue;
    const std::string_view begin = machines;
    return std::string(begin.substr(0, begin.size() - 1)) + name + pointer.substr(begin.size());
  }
  return pointer;
}

void collect(const Value& value, std::istringstream names, std::vector<Value>& found) {
  std::string name;
  if (!std::getline(names, name, '/')) {
    found.push_back(value);
    return;
  }
  if (!value.is_object()) return;
  std::string rest;
  std::getline(names, rest, '\0');
  for (const Member& member : value.members()) {
    if (name == "*" || name == member.name) collect(member.value, std::istringstream(rest), found);
  }
}

std::vector<Value> values_at(const Value& scenario, const std::string& pointer) {
  std::vector<Value> found;
  collect(scenario, std::istringstream(pointer.substr(1)), found);
  return found;
}

/// Whether the parent exists: a NIC to give another model, a fabric.
bool can_be_set(const Value& scenario, const std::string& pointer) {
  const std::size_t star = pointer.rfind('*');
  if (star == std::string::npos) return true;
  return !values_at(scenario, pointer.substr(0, star + 1)).empty();
}

ordered_json choice(const std::string& label, ordered_json value) {
  ordered_json made = ordered_json::object();
  made["label"] = label;
  made["value"] = std::move(value);
  return made;
}

std::string shown(const ordered_json& value) {
  if (value.is_boolean()) return value.get<bool>() ? "on" : "off";
  return value.is_string() ? value.get<std::string>() : value.dump();
}

std::vector<std::string> words_from(From from, const Value& scenario, const Scope& scope,
                                    const scenario::Library& library) {
  switch (from) {
    case From::kServers:
      return topology::names_of(library.catalog->servers);
    case From::kNetworks:
      return library.networks->names();
    case From::kSwitches:
      return topology::names_of(library.catalog->switches);
    case From::kNear:
      return neighbours_of_nics(scenario, scope.host, library);
    case From::kNics:
    case From::kSchema:
      break;
  }
  return {};
}

/// A single switch has no leaves and spines to count.
void add_rest_of_fabric(ordered_json& choice) {
  choice["set"] = ordered_json::array({{{"pointer", "/fabric/kind"}, {"value", choice["value"]}}});
  for (const char* key : {"/fabric/leaves", "/fabric/spines", "/fabric/uplink"}) {
    choice["set"].push_back({{"pointer", key}, {"value", nullptr}});
  }
}

ordered_json choices_of(const Place& place, const ordered_json& schema,
                        const std::vector<std::string>& words) {
  ordered_json choices = ordered_json::array();
  const bool flag = schema.value("type", "") == "boolean";
  if (flag) {
    choices.push_back(choice("on", true));
    choices.push_back(choice("off", false));
  }
  for (const std::string& word : words) choices.push_back(choice(word, word));
  if (!flag && words.empty() && schema.contains("enum")) {
    for (const ordered_json& word : schema["enum"]) {
      choices.push_back(choice(shown(word), word));
      if (word == "single-switch") add_rest_of_fabric(choices.back());
    }
  }
  if (!place.required && !choices.empty()) {
    choices.insert(choices.begin(), choice("as by default", nullptr));
  }
  return choices;
}

/// The present value in words; empty if there is none.
void add_value(const std::vector<Value>& values, ordered_json& control) {
  std::set<std::string> different;
  for (const Value& value : values) different.insert(to_canonical_string(value));
  control["mixed"] = different.size() > 1;
  control["value"] = different.size() == 1
                         ? ordered_json(shown(scenario::to_ordered_json(values.front())))
                         : ordered_json("");
}

/// The schema at the control's pointer, cached.
const ordered_json& schema_of(const Place& place) {
  static const std::map<std::string, ordered_json> all = [] {
    std::map<std::string, ordered_json> found;
    for (const Place& each : kPlaces) {
      ordered_json schema = schema_at(each.pointer);
      schema["description"] = about(schema, each.pointer);
      found.emplace(each.pointer, std::move(schema));
    }
    return found;
  }();
  return all.at(place.pointer);
}

/// Whether any value is as likely as any other: a price, a name.
bool is_typed(const ordered_json& schema) {
  const std::string type = schema.value("type", "");
  if (type == "number") return true;
  return type == "string" && slider_steps(schema, {}).empty();
}

ordered_json control_of(const Place& place, const Value& scenario, const scenario::Library& library,
                        const Scope& scope) {
  const std::string pointer = scoped(place.pointer, scope);
  const ordered_json& schema = schema_of(place);
  ordered_json control{{"id", place.pointer},
                       {"group", place.group},
                       {"label", place.label},
                       {"pointer", pointer},
                       {"about", schema["description"]}};
  if (schema.contains("default")) control["default"] = shown(schema["default"]);
  add_value(values_at(scenario, pointer), control);
  ordered_json choices =
      place.from == From::kNics
          ? nic_choices(scenario, scope.host, pointer, library)
          : choices_of(place, schema, words_from(place.from, scenario, scope, library));
  if (!choices.empty()) {
    control["choices"] = std::move(choices);
  } else if (is_typed(schema)) {
    control["typed"] = schema["type"];
    for (const char* limit : {"minimum", "maximum"}) {
      if (schema.contains(limit)) control[limit] = schema[limit];
    }
  } else {
    control["steps"] = slider_steps(schema, control["value"].get<std::string>());
  }
  return control;
}

void add_places(const ordered_json& schema, const std::string& pointer, int depth,
                ordered_json& found) {
  constexpr int kDeepest = 6;
  if (depth > kDeepest) return;
  if (schema.contains("anyOf")) {
    for (const ordered_json& each : schema["anyOf"]) add_places(each, pointer, depth, found);
    return;
  }
  if (schema.contains("properties")) {
    for (const auto& [name, inside] : schema["properties"].items()) {
      if (name.starts_with('$') || pointer + "/" + name == "/layouts" || name == "expect") continue;
      found[pointer + "/" + name] = inside.value("description", "");
      add_places(inside, pointer + "/" + name, depth + 1, found);
    }
  }
  if (schema.contains("additionalProperties") && schema["additionalProperties"].is_object()) {
    add_places(schema["additionalProperties"], pointer + "/*", depth + 1, found);
  }
}

}  // namespace

ordered_json controls(const Value& scenario, const scenario::Library& library, const Scope& scope) {
  ordered_json all = device_controls(scenario, library, scope);
  for (const Place& place : kPlaces) {
    if (!can_be_set(scenario, scoped(place.pointer, scope))) continue;
    all.push_back(control_of(place, scenario, library, scope));
  }
  return all;
}

ordered_json places() {
  ordered_json found = ordered_json::object();
  add_places(scenario_schema(), "", 0, found);
  return found;
}

}  // namespace vgsim::studio
