// Two passes. The first counts equal schemas below the root, ignoring annotations. The second goes
// from the root down: a long schema that occurs several times becomes a definition, whose content
// is processed once. A definition with only one reference, because it is part of another one, is
// moved back to that place.

#include "topology/input/shapes/shared_definitions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace vgsim::input {
namespace {

using Json = nlohmann::ordered_json;

/// Shorter schemas stay in place, because a reference itself takes up to six lines.
constexpr std::ptrdiff_t kFewestLines = 8;
constexpr const char* kPlace = "#/definitions/";
constexpr std::array<std::string_view, 3> kAnnotations{"description", "default", "examples"};

/// The schema without its annotations, which are moved to `annotations`.
Json core_of(const Json& schema, Json& annotations) {
  Json core = Json::object();
  for (const auto& [key, value] : schema.items()) {
    const bool explains =
        std::find(kAnnotations.begin(), kAnnotations.end(), key) != kAnnotations.end();
    (explains ? annotations : core)[key] = value;
  }
  return core;
}

/// Calls `use` with each direct subschema and its key.
template <class Use>
void each_child(Json& schema, const std::string& name, const Use& use) {
  if (const auto properties = schema.find("properties"); properties != schema.end()) {
    for (auto& [key, value] : properties->items()) use(value, key);
  }
  for (const char* one : {"additionalProperties", "items", "propertyNames"}) {
    const auto found = schema.find(one);
    if (found != schema.end() && found->is_object()) use(*found, name);
  }
  for (const char* several : {"anyOf", "allOf"}) {
    if (!schema.contains(several)) continue;
    for (Json& each : schema[several]) use(each, name);
  }
}

class Definitions {
 public:
  void count(Json& schema, const std::string& name) {
    each_child(schema, name, [&](Json& child, const std::string& key) {
      Json annotations = Json::object();
      const std::string text = core_of(child, annotations).dump(1);
      if (std::count(text.begin(), text.end(), '\n') >= kFewestLines) ++counts_[text];
      count(child, key);
    });
  }

  void share(Json& schema, const std::string& name) {
    each_child(schema, name, [&](Json& child, const std::string& key) {
      Json annotations = Json::object();
      Json core = core_of(child, annotations);
      const auto counted = counts_.find(core.dump(1));
      if (counted == counts_.end() || counted->second < 2) return share(child, key);
      const std::string& definition = defined(counted->first, core, key);
      ++uses_[definition];
      const Json reference{{"$ref", kPlace + definition}};
      // Draft-07 ignores keys next to a reference.
      child = annotations.empty() ? reference : annotations;
      if (!annotations.empty()) child["allOf"].push_back(reference);
    });
  }

  /// Adds the definitions to the schema, except those with one reference.
  void add_to(Json& schema) {
    put_back(schema);
    Json definitions = Json::object();
    for (auto& [name, definition] : definitions_) {
      if (uses_.at(name) < 2) continue;
      put_back(definition);
      definitions[name] = definition;
    }
    if (!definitions.empty()) schema["definitions"] = std::move(definitions);
  }

 private:
  const std::string& defined(const std::string& text, Json& core, const std::string& key) {
    const auto [place, is_new] = names_.try_emplace(text);
    if (!is_new) return place->second;
    std::string name = key.empty() ? "schema" : key;
    for (int n = 2; definitions_.contains(name); ++n) name = fmt::format("{}_{}", key, n);
    place->second = name;
    definitions_[name] = nullptr;  // taken
    share(core, key);
    definitions_[name] = std::move(core);
    return place->second;
  }

  void put_back(Json& schema) {
    each_child(schema, "", [&](Json& child, const std::string&) {
      const bool beside = child.contains("allOf");
      const Json* reference = beside ? &child["allOf"].front() : &child;
      const auto found = reference->find("$ref");
      if (found != reference->end()) {
        const auto place = found->get<std::string>();
        if (!place.starts_with(kPlace)) return;  // a file
        const std::string name = place.substr(std::string_view(kPlace).size());
        if (uses_.at(name) > 1) return;
        Json whole = definitions_.at(name);
        child.erase(beside ? "allOf" : "$ref");
        whole.update(child);
        child = std::move(whole);
      }
      put_back(child);
    });
  }

  std::map<std::string, int> counts_;         ///< by the text of a schema
  std::map<std::string, std::string> names_;  ///< of definitions, by their text
  std::map<std::string, Json> definitions_;   ///< by name
  std::map<std::string, int> uses_;           ///< places that refer to it
};

}  // namespace

void share_definitions(Json& schema) {
  Definitions definitions;
  definitions.count(schema, "");
  definitions.share(schema, "");
  definitions.add_to(schema);
}

}  // namespace vgsim::input
