#include "topology/importers/infragraph/infragraph_model.hpp"

#include <array>
#include <nlohmann/json.hpp>

namespace vgsim::topology::infragraph {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 8> kComponentWords = {"custom", "device", "cpu",  "xpu",
                                                             "nic",    "memory", "port", "switch"};
constexpr std::array<std::string_view, 3> kSchemeWords = {"one2one", "many2many", "ring"};
constexpr std::array<std::string_view, 3> kBandwidthWords = {
    "gigabits_per_second", "gigabytes_per_second", "gigatransfers_per_second"};

template <class Enum, std::size_t size>
std::string word_of(const std::array<std::string_view, size>& words, Enum value) {
  return std::string(words.at(static_cast<std::size_t>(value)));
}

void put_text(Json& object, const char* key, const std::string& text) {
  if (!text.empty()) object[key] = text;
}

template <class Item>
Json list_of(const std::vector<Item>& items, Json (*to_object)(const Item&)) {
  Json list = Json::array();
  for (const Item& item : items) list.push_back(to_object(item));
  return list;
}

Json object_of(const Component& component) {
  Json object;
  object["name"] = component.name;
  put_text(object, "description", component.description);
  object["count"] = component.count.value_or(1);
  object["choice"] = to_word(component.kind);
  Json& choice = object[std::string(to_word(component.kind))] = Json::object();
  if (component.kind == ComponentKind::kCustom) choice["type"] = component.custom_type;
  return object;
}

Json object_of(const Link& link) {
  Json object;
  object["name"] = link.name;
  put_text(object, "description", link.description);
  if (link.bandwidth) {
    const std::string unit = word_of(kBandwidthWords, link.bandwidth->unit);
    object["physical"]["bandwidth"] = {{"choice", unit}, {unit, link.bandwidth->value}};
  }
  return object;
}

Json edge_object(const Edge& edge, const char* owner) {
  const auto endpoint = [owner](const Endpoint& end) {
    Json object;
    put_text(object, owner, end.owner);
    object["component"] = end.component;
    return object;
  };
  Json object;
  object["ep1"] = endpoint(edge.ep1);
  object["ep2"] = endpoint(edge.ep2);
  if (edge.scheme) object["scheme"] = word_of(kSchemeWords, *edge.scheme);
  object["link"] = edge.link;
  return object;
}

Json device_edge(const Edge& edge) { return edge_object(edge, "device"); }
Json instance_edge(const Edge& edge) { return edge_object(edge, "instance"); }

Json object_of(const Device& device) {
  Json object;
  object["name"] = device.name;
  put_text(object, "description", device.description);
  object["components"] = list_of<Component>(device.components, object_of);
  object["links"] = list_of<Link>(device.links, object_of);
  object["edges"] = list_of<Edge>(device.edges, device_edge);
  return object;
}

Json object_of(const Instance& instance) {
  return {{"name", instance.name}, {"device", instance.device}, {"count", instance.count}};
}

Json infrastructure_of(const Document& document) {
  Json object;
  put_text(object, "name", document.name);
  put_text(object, "description", document.description);
  object["devices"] = list_of<Device>(document.devices, object_of);
  object["links"] = list_of<Link>(document.links, object_of);
  object["instances"] = list_of<Instance>(document.instances, object_of);
  object["edges"] = list_of<Edge>(document.edges, instance_edge);
  return object;
}

Json list_of(const Attributes& attributes) {
  Json list = Json::array();
  for (const auto& [name, value] : attributes) {
    list.push_back({{"attribute", name}, {"value", value}});
  }
  return list;
}

Json annotations_of(const Document& document) {
  Json object;
  object["nodes"] = Json::array();
  for (const NodeAnnotation& node : document.nodes) {
    object["nodes"].push_back({{"name", node.node}, {"attributes", list_of(node.attributes)}});
  }
  object["graph"] = list_of(document.graph);
  return object;
}

}  // namespace

std::string_view to_word(ComponentKind kind) {
  return kComponentWords.at(static_cast<std::size_t>(kind));
}

std::string to_json(const Document& document) {
  Json root = infrastructure_of(document);
  if (!document.nodes.empty() || !document.graph.empty()) {
    Json whole;
    whole["infrastructure"] = std::move(root);
    whole["annotations"] = annotations_of(document);
    root = std::move(whole);
  }
  return root.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace vgsim::topology::infragraph
