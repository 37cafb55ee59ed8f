#include "tools/studio/panel/schema.hpp"

#include <nlohmann/json.hpp>
#include <sstream>

#include "models/scenario/read/layout_keys.hpp"
#include "topology/input/shapes/shape.hpp"

namespace vgsim::studio {
namespace {

using nlohmann::ordered_json;

/// Follows a "$ref".
const ordered_json& resolved(const ordered_json& schema) {
  const ordered_json& place = schema.contains("allOf") ? schema["allOf"].front() : schema;
  if (!place.contains("$ref")) return schema;
  return scenario_schema().at(
      ordered_json::json_pointer(place["$ref"].get<std::string>().substr(1)));
}

/// Of alternative schemas the one with members, else the first.
const ordered_json& with_members(const ordered_json& referring) {
  const ordered_json& schema = resolved(referring);
  if (!schema.contains("anyOf")) return schema;
  for (const ordered_json& each : schema["anyOf"]) {
    if (resolved(each).contains("properties")) return resolved(each);
  }
  return schema["anyOf"].front();
}

const ordered_json* member_of(const ordered_json& referring, const std::string& name) {
  const ordered_json& schema = resolved(referring);
  const auto inside = [&](const ordered_json& reference) -> const ordered_json* {
    const ordered_json& each = resolved(reference);
    if (name != "*" && each.contains("properties") && each["properties"].contains(name)) {
      return &each["properties"][name];
    }
    if (name == "*" && each.contains("additionalProperties") &&
        each["additionalProperties"].is_object()) {
      return &each["additionalProperties"];
    }
    return nullptr;
  };
  if (!schema.contains("anyOf")) return inside(schema);
  for (const ordered_json& each : schema["anyOf"]) {
    if (const ordered_json* found = inside(each)) return found;
  }
  return nullptr;
}

}  // namespace

const ordered_json& scenario_schema() {
  static const ordered_json schema = ordered_json::parse(
      input::to_json_schema(scenario::scenario_shape(), "vgsim scenario", "scenario.schema.json"));
  return schema;
}

ordered_json schema_at(const std::string& pointer) {
  const ordered_json* at = &scenario_schema();
  std::istringstream names(pointer.substr(pointer.empty() ? 0 : 1));
  for (std::string name; std::getline(names, name, '/');) {
    at = member_of(*at, name);
    if (at == nullptr) return nullptr;
  }
  // The description is next to the alternatives or in the first of them. Members are left out:
  // a network may be described in place, which is large.
  ordered_json found = ordered_json::object();
  const ordered_json& kind = with_members(*at);
  for (const char* key :
       {"type", "enum", "pattern", "minimum", "maximum", "description", "default"}) {
    if (at->contains(key)) {
      found[key] = (*at)[key];
    } else if (kind.contains(key)) {
      found[key] = kind[key];
    }
  }
  return found;
}

}  // namespace vgsim::studio
