#include "tests/generated/words.hpp"

#include <algorithm>
#include <fstream>
#include <functional>
#include <set>

namespace vgsim::generated {
namespace {

Json read(const std::string& path) { return Json::parse(std::ifstream(path)); }

std::vector<std::string> keys(const Json& object) {
  std::vector<std::string> names;
  for (const auto& [name, value] : object.items()) names.push_back(name);
  return names;
}

/// Whether a GPU is a card for a PCIe slot and not a module or a part of a board.
bool is_card(const std::string& gpu) {
  for (const char* word : {"sxm", "gb", "gh200"}) {
    if (gpu.starts_with(word) || gpu.find(std::string("-") + word) != std::string::npos) {
      return gpu.find("pcie") != std::string::npos || gpu.find("nvl") != std::string::npos;
    }
  }
  return true;
}

std::vector<std::string> fitting_gpus(const topology::ServerModel& server, const Words& words,
                                      const topology::Catalog& catalog) {
  if (!server.default_gpu.empty() && !is_card(server.default_gpu)) {
    std::vector<std::string> fitting{server.default_gpu};
    for (const auto& [name, board] : catalog.boards) {
      if (std::count(board.gpus.begin(), board.gpus.end(), server.default_gpu) > 0 &&
          board.count == static_cast<std::int64_t>(server.gpu_slots.size())) {
        fitting.insert(fitting.end(), board.gpus.begin(), board.gpus.end());
      }
    }
    return fitting;
  }
  std::vector<std::string> fitting = words.cards;
  if (!server.default_gpu.empty()) {  // half of all hosts have what the server comes with
    fitting.insert(fitting.end(), words.cards.size(), server.default_gpu);
  }
  return fitting;
}

void add_servers(const topology::Catalog& catalog, Words& words) {
  for (const auto& [name, server] : catalog.servers) {
    ServerWords made;
    made.name = name;
    made.slots = static_cast<std::int64_t>(server.gpu_slots.size());
    made.gpus = fitting_gpus(server, words, catalog);
    for (const auto& [slot, attachment] : server.nic_slots) made.places.push_back(slot);
    if (server.nvlink.kind == topology::NvLinkLayout::Kind::kBridge) {
      for (const auto& pair : server.nvlink.pairs) {
        made.bridges.emplace_back(pair.first, pair.second);
      }
    }
    words.servers.push_back(std::move(made));
  }
}

using Visit = std::function<void(const std::string& pointer, const Json& node)>;

/// Every node of the schema, with the place in a scenario that it describes.
void visit_schema(const Json& node, const std::string& at, const Visit& visit) {
  visit(at, node);
  for (const char* choice : {"anyOf", "oneOf"}) {
    if (!node.contains(choice)) continue;
    for (const Json& one : node[choice]) visit_schema(one, at, visit);
  }
  if (node.contains("properties")) {
    for (const auto& [name, value] : node["properties"].items()) {
      if (name.starts_with("$")) continue;
      visit_schema(value, at + "/" + name, visit);
    }
  }
  if (node.contains("additionalProperties") && node["additionalProperties"].is_object()) {
    visit_schema(node["additionalProperties"], at + "/*", visit);
  }
  if (node.contains("items") && node["items"].is_object()) {
    visit_schema(node["items"], at + "/*", visit);
  }
}

/// The node with the definitions that it refers to in their places.
Json inlined(const Json& node, const Json& root) {
  if (node.is_array()) {
    Json all = Json::array();
    for (const Json& one : node) all.push_back(inlined(one, root));
    return all;
  }
  if (!node.is_object()) return node;
  if (node.contains("$ref") && node["$ref"].get<std::string>().starts_with("#/")) {
    const std::string place = node["$ref"].get<std::string>().substr(1);
    return inlined(root.at(Json::json_pointer(place)), root);
  }
  if (node.contains("allOf") && node["allOf"].size() == 1) {
    return inlined(node["allOf"].front(), root);
  }
  Json whole = Json::object();
  for (const auto& [name, value] : node.items()) {
    if (name != "definitions") whole[name] = inlined(value, root);
  }
  return whole;
}

}  // namespace

Words words_of(const scenario::Library& library, const std::string& configs) {
  Words words;
  const Json schema = read(configs + "/schema/scenario.schema.json");
  words.schema = inlined(schema, schema);
  const topology::Catalog& catalog = *library.catalog;
  for (const auto& [name, gpu] : catalog.gpus) {
    words.gpus.push_back(name);
    if (is_card(name)) words.cards.push_back(name);
    const auto* board = library.vsphere->profiles.board_of(name);
    if (board == nullptr) continue;
    for (const auto& [profile, facts] : board->profiles) words.profiles[name].push_back(profile);
  }
  words.nics = topology::names_of(catalog.nics);
  for (const auto& [name, nic] : catalog.nics) {
    if (name.starts_with("connectx") || name.starts_with("x")) words.usual_nics.push_back(name);
  }
  words.cpus = topology::names_of(catalog.cpus);
  words.switches = topology::names_of(catalog.switches);
  words.datasets = topology::names_of(catalog.datasets);
  words.networks = library.networks->names();
  static const std::set<std::string> kLarge = {
      "deepseek-v3",    "flux-1",          "gpt-3-175b",  "llama-2-13b", "llama-2-70b",
      "llama-2-7b",     "llama-3-405b",    "llama-3-70b", "llama-3-8b",  "mixtral-8x7b",
      "nemotron-4-15b", "nemotron-4-340b", "t5-3b"};
  for (const std::string& network : words.networks) {
    if (!kLarge.contains(network)) words.usual_networks.push_back(network);
    const Json file = read(configs + "/networks/" + network + ".json");
    if (file.contains("transformer")) words.transformers.insert(network);
    if (file.value("sample", Json::object()).contains("sequence_length"))
      words.texts.insert(network);
  }
  for (const Json& version : words.schema["properties"]["vsphere"]["enum"]) {
    words.versions.push_back(version);
  }
  words.releases = keys(read(configs + "/nccl/releases.json")["releases"]);
  add_servers(catalog, words);
  return words;
}

SchemaPlaces::SchemaPlaces(const Json& schema) {
  visit_schema(schema, "", [&](const std::string& at, const Json&) { known_.insert(at); });
}

std::vector<std::string> SchemaPlaces::keys() const {
  std::vector<std::string> found;
  for (const std::string& at : known_) {
    if (!at.empty() && !at.ends_with("/*")) found.push_back(at);
  }
  return found;
}

std::set<std::string> SchemaPlaces::used(const Json& scenario) const {
  std::set<std::string> found;
  const std::function<void(const Json&, const std::string&)> walk = [&](const Json& value,
                                                                        const std::string& at) {
    if (!at.empty() && !at.ends_with("/*") && known_.contains(at)) found.insert(at);
    if (value.is_array()) {
      for (const Json& one : value) walk(one, at + "/*");
    } else if (value.is_object()) {
      for (const auto& [name, one] : value.items()) {
        std::string key = at + "/" + name;
        walk(one, known_.contains(key) ? key : at + "/*");
      }
    }
  };
  walk(scenario, "");
  if (scenario.contains("layouts")) {
    for (const auto& [name, patch] : scenario["layouts"].items()) walk(patch, "");
  }
  return found;
}

}  // namespace vgsim::generated
