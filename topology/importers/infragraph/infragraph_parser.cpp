#include "topology/importers/infragraph/infragraph_parser.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <span>

#include "topology/importers/infragraph/yaml_reader.hpp"
#include "topology/importers/infragraph/yaml_tree.hpp"
#include "topology/importers/text.hpp"
#include "topology/inventory/import_codes.hpp"

namespace vgsim::topology::infragraph {
namespace {

using input::Diagnostics;
using input::SourcePtr;

constexpr std::int64_t kMaxCount = 1'000'000;
constexpr double kMaxBandwidth = 1e9;

/// Releases of the schema differ in names and in depth: a document may begin with "infrastructure"
/// or be it, have edges as objects or connections as dotted texts, bandwidths below "physical" or
/// beside it. Each reader below takes every form that is known and fills one model.
class Reader : public YamlReader {
 public:
  using YamlReader::YamlReader;

  void read(const YamlNode& root);

  Document document;

 private:
  [[nodiscard]] static Place place(const YamlNode& node) {
    return {node.offset, std::max<std::size_t>(node.text.size(), 1)};
  }

  void read_infrastructure(const YamlNode& root);
  void read_device(const YamlNode& node);
  void read_instance(const YamlNode& node, const std::string& device);
  void read_annotations(const YamlNode& node);
  [[nodiscard]] std::optional<Component> component(const YamlNode& node);
  [[nodiscard]] Link link(const YamlNode& node);
  [[nodiscard]] std::optional<Bandwidth> bandwidth(const YamlNode& node);
  [[nodiscard]] std::optional<Edge> edge(const YamlNode& node, const char* owner);
  [[nodiscard]] Endpoint endpoint(const YamlNode& edge, const char* key, const char* owner);
  [[nodiscard]] std::optional<Scheme> scheme(const YamlNode& edge);
  [[nodiscard]] std::optional<Edge> connection(const YamlNode& node, bool of_instances);
  [[nodiscard]] std::vector<Link> links(const YamlNode& object);
  [[nodiscard]] std::vector<Edge> edges(const YamlNode& object, bool of_instances);
  [[nodiscard]] Attributes attributes(const YamlNode& object, const char* key);
};

std::optional<Bandwidth> Reader::bandwidth(const YamlNode& node) {
  const YamlNode* physical = node.find("physical");
  const YamlNode* object = (physical != nullptr ? *physical : node).find("bandwidth");
  if (object == nullptr || object->kind != YamlNode::Kind::kMap) return std::nullopt;
  for (std::size_t i = 0; i + 1 < object->items.size(); i += 2) {
    const std::string& key = object->items[i].text;
    const YamlNode& value = object->items[i + 1];
    if (!key.starts_with('g') || value.kind != YamlNode::Kind::kScalar) continue;
    const auto number = this->number(value, key, kMaxBandwidth);
    if (!number) return std::nullopt;
    Bandwidth told;
    told.value = *number;
    told.unit = key.find("bits") != key.npos    ? BandwidthUnit::kGigabits
                : key.find("bytes") != key.npos ? BandwidthUnit::kGigabytes
                                                : BandwidthUnit::kGigatransfers;
    return told;
  }
  return std::nullopt;
}

Link Reader::link(const YamlNode& node) {
  return {text(node, "name"), text(node, "description"), bandwidth(node)};
}

std::vector<Link> Reader::links(const YamlNode& object) {
  std::vector<Link> read;
  for (const YamlNode& node : list(object, "links")) {
    if (is_object(node, "a link")) read.push_back(link(node));
  }
  return read;
}

std::optional<Component> Reader::component(const YamlNode& node) {
  Component read;
  read.place = place(node);
  read.name = text(node, "name");
  read.description = text(node, "description");
  read.count = count(node, "count", kMaxCount);
  if (read.name.empty()) {
    bad(node, "a component without a name", "\"name\"");
    return std::nullopt;
  }
  std::string word = lower_case(text(node, "choice"));
  if (word.empty()) word = lower_case(text(node, "type"));
  if (word == "npu" || word == "gpu") word = to_word(ComponentKind::kXpu);
  const auto kinds = {ComponentKind::kDevice, ComponentKind::kCpu,    ComponentKind::kXpu,
                      ComponentKind::kNic,    ComponentKind::kMemory, ComponentKind::kPort,
                      ComponentKind::kSwitch};
  const auto kind =
      std::ranges::find_if(kinds, [&](ComponentKind known) { return to_word(known) == word; });
  if (kind != kinds.end()) read.kind = *kind;
  const YamlNode* custom = node.find("custom");
  if (custom != nullptr && custom->kind == YamlNode::Kind::kMap) {
    read.custom_type = text(*custom, "type");
  } else if (kind == kinds.end() && word != to_word(ComponentKind::kCustom)) {
    read.custom_type = word;
  }
  if (node.find("components") != nullptr) {
    odd(node, fmt::format("components inside the component \"{}\" are passed over", read.name));
  }
  return read;
}

Endpoint Reader::endpoint(const YamlNode& edge, const char* key, const char* owner) {
  const YamlNode* node = edge.find(key);
  if (node == nullptr || node->kind != YamlNode::Kind::kMap) {
    bad(edge, fmt::format("an edge without \"{}\"", key), "ep1 and ep2, each with a component");
    return {};
  }
  Endpoint read{text(*node, owner), text(*node, "component"), place(*node)};
  if (const YamlNode* component = node->find("component")) read.place = place(*component);
  if (read.owner.empty()) read.owner = text(*node, "device");
  return read;
}

std::optional<Scheme> Reader::scheme(const YamlNode& edge) {
  const std::string word = text(edge, "scheme");
  if (word == "one2one") return Scheme::kOneToOne;
  if (word == "many2many") return Scheme::kManyToMany;
  if (word == "ring") return Scheme::kRing;
  if (!word.empty()) {
    bad(*edge.find("scheme"), fmt::format("the scheme \"{}\"", word), "one2one, many2many or ring");
    return std::nullopt;
  }
  const std::string every = lower_case(text(edge, "many2many"));
  if (every.empty()) return std::nullopt;
  return every == "true" ? Scheme::kManyToMany : Scheme::kOneToOne;
}

std::optional<Edge> Reader::edge(const YamlNode& node, const char* owner) {
  if (!is_object(node, "an edge")) return std::nullopt;
  Edge read{endpoint(node, "ep1", owner), endpoint(node, "ep2", owner), scheme(node),
            text(node, "link")};
  if (read.ep1.component.empty() || read.ep2.component.empty()) return std::nullopt;
  return read;
}

std::optional<Edge> Reader::connection(const YamlNode& node, bool of_instances) {
  auto read = parse_connection(node.text, of_instances, place(node));
  if (!read) {
    bad(node, fmt::format("the connection \"{}\"", printable_line(node.text)),
        of_instances ? "the form host.0.nic.0.link.switch.0.port.0" : "the form cpu.0.pcie.nic.0");
  }
  return read;
}

std::vector<Edge> Reader::edges(const YamlNode& object, bool of_instances) {
  std::vector<Edge> read;
  for (const YamlNode& node : list(object, "edges")) {
    if (auto one = edge(node, of_instances ? "instance" : "device")) {
      read.push_back(*std::move(one));
    }
  }
  for (const YamlNode& node : list(object, "connections")) {
    if (auto one = connection(node, of_instances)) read.push_back(*std::move(one));
  }
  return read;
}

void Reader::read_instance(const YamlNode& node, const std::string& device) {
  if (!is_object(node, "an instance")) return;
  Instance read{text(node, "name"), text(node, "device"),
                count(node, "count", kMaxCount).value_or(1), place(node)};
  if (read.device.empty()) read.device = device;
  if (read.name.empty()) read.name = read.device;
  if (read.device.empty()) return bad(node, "an instance without a device", "\"device\"");
  document.instances.push_back(std::move(read));
}

void Reader::read_device(const YamlNode& node) {
  if (!is_object(node, "a device")) return;
  Device device{text(node, "name"), text(node, "description"), {}, {}, {}, place(node)};
  if (device.name.empty()) {
    device.name = fmt::format("device {}", document.devices.size());
    odd(node, fmt::format("a device without a name, called \"{}\" here", device.name));
  }
  std::set<std::string> names;
  for (const YamlNode& item : list(node, "components")) {
    if (!is_object(item, "a component")) continue;
    auto read = component(item);
    if (!read) continue;
    if (names.insert(read->name).second) {
      device.components.push_back(*std::move(read));
    } else {
      odd(item, fmt::format("a second component \"{}\" is passed over", read->name));
    }
  }
  device.links = links(node);
  device.edges = edges(node, false);
  for (const YamlNode& item : list(node, "instances")) read_instance(item, device.name);
  document.devices.push_back(std::move(device));
}

Attributes Reader::attributes(const YamlNode& object, const char* key) {
  Attributes read;
  for (const YamlNode& node : list(object, key)) {
    if (is_object(node, "an attribute")) {
      read.emplace_back(text(node, "attribute"), text(node, "value"));
    }
  }
  return read;
}

void Reader::read_annotations(const YamlNode& node) {
  if (node.kind != YamlNode::Kind::kMap) return;
  for (const YamlNode& item : list(node, "nodes")) {
    if (!is_object(item, "an annotation")) continue;
    document.nodes.push_back({text(item, "name"), attributes(item, "attributes")});
  }
  document.graph = attributes(node, "graph");
}

void Reader::read_infrastructure(const YamlNode& root) {
  document.name = text(root, "name");
  document.description = text(root, "description");
  for (const char* key : {"devices", "device"}) {
    for (const YamlNode& node : list(root, key)) read_device(node);
  }
  document.links = links(root);
  for (const YamlNode& node : list(root, "instances")) read_instance(node, "");
  document.edges = edges(root, true);
  if (const YamlNode* annotations = root.find("annotations")) read_annotations(*annotations);
}

void Reader::read(const YamlNode& root) {
  const YamlNode* whole = &root;
  if (const YamlNode* answer = whole->find("infragraph")) whole = answer;
  const YamlNode* infrastructure = whole->find("infrastructure");
  if (infrastructure != nullptr) {
    if (!is_object(*infrastructure, "an infrastructure")) return;
    read_infrastructure(*infrastructure);
    if (const YamlNode* annotations = whole->find("annotations")) read_annotations(*annotations);
  } else if (whole->kind == YamlNode::Kind::kList) {
    for (const YamlNode& node : whole->items) read_device(node);
  } else if (whole->find("components") != nullptr) {
    read_device(*whole);
  } else if (whole->find("devices") != nullptr || whole->find("device") != nullptr ||
             whole->find("instances") != nullptr || whole->find("connections") != nullptr) {
    read_infrastructure(*whole);
  } else {
    errors.error(import_codes::kNotThisFormat.code, at(*whole), "", "the text is no InfraGraph",
                 "an infrastructure with \"devices\", or a device with \"components\"");
  }
}

/// Later devices of a name that an earlier one has are dropped.
void drop_repeated(Document& document, const SourcePtr& source) {
  std::set<std::string> names;
  std::vector<Device> kept;
  for (Device& device : document.devices) {
    if (names.insert(device.name).second) {
      kept.push_back(std::move(device));
      continue;
    }
    document.warnings.warning(import_codes::kOddValue.code,
                              {source, device.place.offset, device.place.length}, "",
                              fmt::format("a second device \"{}\" is passed over", device.name));
  }
  document.devices = std::move(kept);
}

}  // namespace

tl::expected<Document, Diagnostics> parse(const SourcePtr& source) {
  bool has_more = false;
  const auto root = read_yaml(source, &has_more);
  if (!root) return tl::unexpected(root.error());
  Reader reader(source);
  reader.read(*root);
  if (reader.errors.has_errors()) {
    reader.errors.append(reader.warnings);
    return tl::unexpected(std::move(reader.errors));
  }
  if (has_more) reader.odd(*root, "only the first document of the file is read");
  reader.document.warnings = std::move(reader.warnings);
  drop_repeated(reader.document, source);
  return std::move(reader.document);
}

}  // namespace vgsim::topology::infragraph
