#include "topology/importers/infragraph/infragraph.hpp"

#include <fmt/core.h>
#include <fmt/format.h>

#include <map>
#include <set>
#include <string>
#include <utility>

#include "topology/importers/infragraph/infragraph_devices.hpp"
#include "topology/importers/infragraph/infragraph_fabric.hpp"
#include "topology/importers/infragraph/infragraph_host.hpp"
#include "topology/importers/infragraph/infragraph_notes.hpp"
#include "topology/importers/infragraph/infragraph_parser.hpp"
#include "topology/importers/infragraph/infragraph_words.hpp"
#include "topology/importers/text.hpp"
#include "topology/inventory/import_codes.hpp"

namespace vgsim::topology {
namespace {

using infragraph::Document;
using infragraph::Instance;
using input::Diagnostics;
using input::SourcePtr;
using inventory::Inventory;
using inventory::Told;

constexpr std::size_t kMaxKinds = 64;

bool is_yaml_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

/// Whether a word stands in the text as the key of a YAML or JSON map.
bool has_key(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
    std::size_t end = at + word.size();
    const char before = at == 0 ? '\n' : text[at - 1];
    const bool quoted = before == '"' || before == '\'';
    if (!is_yaml_blank(before) && before != '{' && before != ',' && !quoted) continue;
    if (quoted && (end >= text.size() || text[end++] != before)) continue;
    while (end < text.size() && (text[end] == ' ' || text[end] == '\t')) ++end;
    if (end < text.size() && text[end] == ':') return true;
  }
  return false;
}

/// A kind of host, and the instances that are of it.
struct HostKind {
  const infragraph::Device* device = nullptr;
  std::vector<const Instance*> instances;
};

std::vector<HostKind> host_kinds(const Document& document, const infragraph::DeviceIndex& devices) {
  std::vector<HostKind> kinds;
  std::map<const infragraph::Device*, std::size_t> places;
  const auto add = [&](const infragraph::Device& device, const Instance* instance) {
    const auto [place, is_new] = places.emplace(&device, kinds.size());
    if (is_new) kinds.push_back({&device, {}});
    if (instance != nullptr) kinds[place->second].instances.push_back(instance);
  };
  for (const Instance& instance : document.instances) {
    const infragraph::Device* device = devices.find(instance.device);
    if (device != nullptr && devices.contents(*device).gpu) add(*device, &instance);
  }
  if (!kinds.empty()) return kinds;
  std::set<std::string> parts;
  for (const infragraph::Device& device : document.devices) {
    for (const infragraph::Component& component : device.components) {
      if (component.kind == infragraph::ComponentKind::kDevice) parts.insert(component.name);
    }
  }
  for (const infragraph::Device& device : document.devices) {
    if (devices.contents(device).gpu && !parts.contains(device.name)) add(device, nullptr);
  }
  return kinds;
}

/// What components of the host are called in the graph: "host.0".
std::string node_of(const HostKind& kind) {
  const std::string& name =
      kind.instances.empty() ? kind.device->name : kind.instances.front()->name;
  return name + ".0";
}

/// Names that documents give what has none.
bool says_nothing(const std::string& name) {
  return name == "host" || name == "server" || name == "node" || name.starts_with("device ");
}

void describe_instances(const HostKind& kind, const std::string& path, Inventory& host) {
  const std::string& model = kind.device->name;
  if (!host.model && !says_nothing(model)) host.model = Told<std::string>{model, path};
  if (kind.instances.empty()) {
    host.assumed.push_back(
        fmt::format("the device \"{}\" is taken as one host, as no instance of it is listed",
                    kind.device->name));
    return;
  }
  std::int64_t count = 0;
  std::vector<std::string> names;
  for (const Instance* instance : kind.instances) {
    count += instance->count;
    names.push_back(fmt::format("{} x {}", instance->count, instance->name));
  }
  const std::string& first = kind.instances.front()->name;
  if (!host.name && !says_nothing(first)) {
    host.name = Told<std::string>{count == 1 ? first : first + ".0", path};
  }
  if (count > 1) {
    host.skipped.push_back(fmt::format("{} more hosts like this one: {} of device \"{}\"",
                                       count - 1, few_of(names), kind.device->name));
  }
}

Diagnostics nothing_in(const Document& document, const SourcePtr& source) {
  Diagnostics errors;
  errors.append(document.warnings);
  errors.error(import_codes::kNothingInIt.code, {source, 0, 1}, "",
               document.devices.empty() ? "the document describes no device"
                                        : "no device in the document has GPUs",
               "a device with components of the kind xpu");
  return errors;
}

Diagnostics too_many_kinds(std::size_t kinds, const SourcePtr& source) {
  Diagnostics errors;
  errors.error(import_codes::kTooMuch.code, {source, 0, 1}, "",
               fmt::format("the document has {} kinds of GPU hosts", kinds),
               fmt::format("at most {}", kMaxKinds));
  return errors;
}

}  // namespace

bool is_infragraph(std::string_view text) {
  const std::size_t start = text.find_first_not_of(" \t\r\n\xef\xbb\xbf");
  if (start == text.npos || text[start] == '<' || text[start] == '\0') return false;
  if (has_key(text, "openapi") || has_key(text, "swagger")) return false;
  if (has_key(text, "infrastructure") && has_key(text, "connections")) return true;
  if (!has_key(text, "components")) return false;
  const bool has_edges = has_key(text, "ep1") || has_key(text, "connections");
  const bool has_devices = has_key(text, "devices") || has_key(text, "device");
  const bool has_kinds = has_key(text, "choice") || has_key(text, "type");
  return has_edges || (has_devices && has_kinds) ||
         (has_key(text, "choice") && has_key(text, "count"));
}

/// The format describes kinds of devices once and instances of them by number. So a host is read
/// for each kind that has GPUs in it, however many instances there are: parse, find the kinds,
/// expand and build each, then say how many more there are and what the network between them looks
/// like.
tl::expected<std::vector<Inventory>, Diagnostics> read_infragraph(const SourcePtr& source) {
  const auto document = infragraph::parse(source);
  if (!document) return tl::unexpected(document.error());
  const infragraph::DeviceIndex devices(*document);
  const std::vector<HostKind> kinds = host_kinds(*document, devices);
  if (kinds.empty()) return tl::unexpected(nothing_in(*document, source));
  if (kinds.size() > kMaxKinds) return tl::unexpected(too_many_kinds(kinds.size(), source));
  infragraph::NoteBook notes(*document, source->path);
  const std::vector<std::string> fabric = infragraph::describe_fabric(*document, devices);
  std::vector<Inventory> hosts;
  Diagnostics errors;
  for (const HostKind& kind : kinds) {
    auto host = infragraph::host_inventory(devices, *kind.device, node_of(kind), notes, source);
    if (!host) {
      errors.append(host.error());
      continue;
    }
    if (kinds.size() == 1) read_notes(notes.of_graph(), *host);
    describe_instances(kind, source->path, *host);
    host->skipped.insert(host->skipped.end(), fabric.begin(), fabric.end());
    hosts.push_back(*std::move(host));
  }
  if (errors.has_errors()) return tl::unexpected(std::move(errors));
  hosts.front().warnings.append(document->warnings);
  const std::set<std::string> unread = notes.unread();
  if (!unread.empty()) {
    hosts.front().skipped.push_back(
        fmt::format("annotations: {}", few_of({unread.begin(), unread.end()})));
  }
  return hosts;
}

}  // namespace vgsim::topology
