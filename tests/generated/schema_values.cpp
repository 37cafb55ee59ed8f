#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "tests/generated/draft.hpp"

namespace vgsim::generated {
namespace {

std::vector<std::string> tokens_of(const std::string& pointer) {
  std::vector<std::string> tokens;
  std::istringstream stream(pointer.substr(1));
  for (std::string token; std::getline(stream, token, '/');) tokens.push_back(token);
  return tokens;
}

/// Any of several shapes that a value may have.
const Json& one_of(Draft& draft, const Json& node) {
  for (const char* choice : {"anyOf", "oneOf"}) {
    if (node.contains(choice))
      return one_of(draft, node[choice][draft.dice.below(node[choice].size())]);
  }
  return node;
}

Json text_of(Draft& draft, const Json& node) {
  Dice& dice = draft.dice;
  if (node.contains("examples") && dice.chance(0.7)) {
    return node["examples"][dice.below(node["examples"].size())];
  }
  const std::string pattern = node.value("pattern", "");
  const std::int64_t number = std::int64_t{1} << dice.between(0, 10);
  if (pattern.find("|ns|us|") != std::string::npos) return fmt::format("{} ms", number);
  if (pattern.find("|kB/s|") != std::string::npos) return fmt::format("{} Gbit/s", number);
  if (pattern.find("|kB|") != std::string::npos) return fmt::format("{} MiB", number);
  if (pattern.find("FLOP") != std::string::npos) return fmt::format("{} MFLOP", number);
  if (pattern.find("[Gg]en") != std::string::npos) return "gen4 x16 on socket0";
  if (pattern.find("{1,2})") != std::string::npos) return "16.4";
  if (node.contains("default") && node["default"].is_string()) return node["default"];
  static const std::vector<std::string> kNames = {"gpu0", "vmnic4", "esx1", "EUR", "n"};
  return dice.pick(kNames);
}

Json number_of(Draft& draft, const Json& node, bool whole) {
  Dice& dice = draft.dice;
  const double least = node.value("minimum", 0.0);
  const double most = node.value("maximum", 1e6);
  // Mostly small numbers, sometimes the ends of what is allowed.
  double value = least + std::pow(2.0, static_cast<double>(dice.between(0, 8)));
  if (!whole)
    value = least +
            (std::min(most, least + 1) - least) * 0.1 * static_cast<double>(dice.between(0, 10));
  if (dice.chance(0.06)) value = dice.chance(0.5) ? least : most;
  value = std::min(value, most);
  return whole ? Json(static_cast<std::int64_t>(value)) : Json(value);
}

Json value_of(Draft& draft, const Json& any, int depth);

Json object_of(Draft& draft, const Json& node, int depth) {
  Json made = Json::object();
  const Json required = node.value("required", Json::array());
  if (node.contains("properties")) {
    for (const auto& [name, value] : node["properties"].items()) {
      if (name.starts_with("$")) continue;
      const bool must = std::find(required.begin(), required.end(), name) != required.end();
      if (must || (depth > 0 && draft.dice.chance(0.5)))
        made[name] = value_of(draft, value, depth - 1);
    }
  }
  if (node.contains("additionalProperties") && node["additionalProperties"].is_object() &&
      depth > 0) {
    made["esx1"] = value_of(draft, node["additionalProperties"], depth - 1);
  }
  return made;
}

Json value_of(Draft& draft, const Json& any, int depth) {
  const Json& node = one_of(draft, any);
  if (node.contains("const")) return node["const"];
  if (node.contains("enum")) return node["enum"][draft.dice.below(node["enum"].size())];
  const std::string type = node.contains("type") && node["type"].is_string() ? node["type"] : "";
  if (type == "object") return object_of(draft, node, depth);
  if (type == "array") {
    if (node.contains("examples") && draft.dice.chance(0.6)) return node["examples"][0];
    Json made = Json::array();
    const std::int64_t count = std::max<std::int64_t>(node.value("minItems", std::int64_t{0}), 1);
    for (std::int64_t i = 0; i < count && node.contains("items"); ++i) {
      made.push_back(value_of(draft, node["items"], depth - 1));
    }
    return made;
  }
  if (type == "boolean") return draft.dice.chance(0.5);
  if (type == "integer") return number_of(draft, node, true);
  if (type == "number") return number_of(draft, node, false);
  return text_of(draft, node);
}

/// The node of the schema at a pointer; any of those that there are.
const Json* node_at(const Json& node, const std::vector<std::string>& tokens, std::size_t from) {
  for (const char* choice : {"anyOf", "oneOf"}) {
    if (!node.contains(choice)) continue;
    for (const Json& one : node[choice]) {
      if (const Json* found = node_at(one, tokens, from)) return found;
    }
  }
  if (from == tokens.size()) return &node;
  const std::string& token = tokens[from];
  if (token != "*" && node.contains("properties") && node["properties"].contains(token)) {
    return node_at(node["properties"][token], tokens, from + 1);
  }
  if (token != "*") return nullptr;
  for (const char* of_all : {"additionalProperties", "items"}) {
    if (!node.contains(of_all) || !node[of_all].is_object()) continue;
    if (const Json* found = node_at(node[of_all], tokens, from + 1)) return found;
  }
  return nullptr;
}

/// The object of the scenario that the last token of a pointer is a key of, or nothing.
Json* place_for(Draft& draft, const std::vector<std::string>& tokens) {
  Json* at = &draft.scenario;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (tokens[i] == "*") {
      if (at->empty() || !(at->is_object() || at->is_array())) return nullptr;
      auto chosen = at->begin();
      std::advance(chosen, static_cast<std::ptrdiff_t>(draft.dice.below(at->size())));
      at = &*chosen;
    } else {
      if (!at->is_object() || !at->contains(tokens[i])) return nullptr;
      at = &(*at)[tokens[i]];
    }
  }
  return at->is_object() ? at : nullptr;
}

}  // namespace

Json any_value(Draft& draft, const std::string& place, int depth) {
  return value_of(draft, *node_at(draft.words.schema, tokens_of(place), 0), depth);
}

void add_keys_of_schema(Draft& draft, std::int64_t how_many) {
  static const std::vector<std::string> kKeys = SchemaPlaces(draft.words.schema).keys();
  for (std::int64_t tries = 0; how_many > 0 && tries < 40; ++tries) {
    const std::vector<std::string> tokens = tokens_of(draft.dice.pick(kKeys));
    if (tokens[0] == "layouts" || tokens.back() == "*") continue;
    Json* place = place_for(draft, tokens);
    const Json* node = node_at(draft.words.schema, tokens, 0);
    if (place == nullptr || node == nullptr || place->contains(tokens.back())) continue;
    (*place)[tokens.back()] = value_of(draft, *node, 2);
    --how_many;
  }
}

}  // namespace vgsim::generated
