#include "models/scenario/answer/manifest.hpp"

#include <nlohmann/json.hpp>

namespace vgsim::scenario {

using Json = nlohmann::ordered_json;

Json to_ordered_json(const Document& document) {
  const input::Value& value = document.value();
  switch (value.kind()) {
    case input::Kind::null:
      return nullptr;
    case input::Kind::boolean:
      return value.boolean();
    case input::Kind::integer:
      return value.integer();
    case input::Kind::number:
      return value.number();
    case input::Kind::string:
      return value.string();
    case input::Kind::array: {
      Json array = Json::array();
      for (const input::Value& element : value.elements())
        array.push_back(to_ordered_json(element));
      return array;
    }
    case input::Kind::object: {
      Json object = Json::object();
      for (const input::Member& member : value.members()) {
        object[member.name] = to_ordered_json(member.value);
      }
      return object;
    }
  }
  return nullptr;
}

Json to_json(const Manifest& manifest) {
  Json out{{"vgsim", manifest.version}, {"scenario_file", manifest.scenario_file}};
  if (!manifest.settings.empty()) out["set"] = manifest.settings;
  if (manifest.seed) out["seed"] = *manifest.seed;
  if (manifest.draws) out["draws"] = *manifest.draws;
  out["scenario"] = to_ordered_json(manifest.document);
  for (const auto& [path, text] : manifest.files) out["files"][path] = text;
  return out;
}

}  // namespace vgsim::scenario
