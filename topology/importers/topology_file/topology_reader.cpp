#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "topology/importers/topology_file/topology_file.hpp"
#include "topology/importers/topology_file/tree_builder.hpp"
#include "topology/input/json_reader.hpp"
#include "topology/input/typed.hpp"
#include "topology/machine/bus_id.hpp"
#include "topology/machine/device_names.hpp"
#include "topology/machine/topology_words.hpp"

namespace vgsim::topology::inventory {
namespace {

using namespace input;

/// An object of the file with the source of its values.
class ObjectReader {
 public:
  ObjectReader(const Value& value, const std::string& around) : value_(value), default_(around) {
    const auto from = find(value, "from");
    if (!from) return;
    if (from->is_string()) {
      default_ = as_string(*from);
      return;
    }
    for (const Member& member : from->members()) {
      if (member.name == "*") {
        default_ = as_string(member.value);
      } else {
        sources_[member.name] = as_string(member.value);
      }
    }
  }

  [[nodiscard]] const std::string& default_source() const { return default_; }

  template <class Read>
  [[nodiscard]] auto get(const char* key, Read read) const
      -> Maybe<std::decay_t<decltype(read(std::declval<const Value&>()))>> {
    const auto found = find(value_, key);
    if (!found) return std::nullopt;
    const auto source = sources_.find(key);
    return Stated<std::decay_t<decltype(read(*found))>>{
        read(*found), source == sources_.end() ? default_ : source->second};
  }
  [[nodiscard]] Maybe<std::string> text(const char* key) const { return get(key, as_string); }
  [[nodiscard]] Maybe<std::int64_t> count(const char* key) const { return get(key, as_count); }
  [[nodiscard]] Maybe<bool> flag(const char* key) const { return get(key, as_bool); }
  [[nodiscard]] Maybe<Bytes> bytes(const char* key) const { return get(key, as_bytes); }
  [[nodiscard]] Maybe<PcieWidth> link(const char* key) const {
    return get(key, [](const Value& text) { return *parse_pcie_width(as_string(text)); });
  }

  /// Calls `visit(element)` for each element of an optional array.
  template <class Visit>
  void for_each(const char* key, Visit visit) const {
    const auto list = find(value_, key);
    if (!list) return;
    for (const Value& element : list->elements()) visit(element);
  }

 private:
  Value value_;
  std::string default_;
  std::map<std::string, std::string> sources_;
};

Attributes read_attributes(const Value& object) {
  Attributes attributes;
  if (const auto passed_on = find(object, "nccl")) {
    for (const Member& member : passed_on->members()) {
      attributes.emplace_back(member.name, as_string(member.value));
    }
  }
  return attributes;
}

NumaNode read_numa_node(const Value& value, const std::string& around) {
  const ObjectReader object(value, around);
  NumaNode node;
  node.id = object.count("id");
  node.package = object.count("socket");
  node.cpu_list = object.text("cpus");
  node.affinity = object.text("affinity");
  node.arch = object.text("arch");
  node.vendor = object.text("cpu_vendor");
  node.family = object.count("cpu_family");
  node.model = object.count("cpu_model");
  node.cpu_name = object.text("cpu");
  node.cores = object.count("cores");
  node.memory = object.bytes("memory");
  node.host_hash = object.text("host_hash");
  return node;
}

Port read_port(const Value& value, const std::string& around) {
  const ObjectReader object(value, around);
  Port port;
  port.name = object.text("name");
  port.dev = object.count("dev");
  port.rate = object.get("speed", as_rate);
  port.port = object.count("port");
  port.guid = object.text("guid");
  port.maxconn = object.count("maxconn");
  port.latency = object.get("latency", as_time);
  port.gdr = object.flag("gdr");
  port.coll = object.flag("coll");
  port.keep = object.flag("keep");
  port.nccl_attributes = read_attributes(value);
  return port;
}

NvLinks read_nvlinks(const Value& value, const std::string& around) {
  const ObjectReader object(value, around);
  NvLinks links;
  links.target = *object.text("to");
  links.target.value = normalized_bus_id(links.target.value);
  links.target_class = object.text("class");
  links.count = *object.count("count");
  links.rate = object.get("bandwidth", as_rate);
  return links;
}

Gpu read_gpu(const Value& value, const ObjectReader& object) {
  Gpu gpu;
  gpu.index = object.count("index");
  gpu.uuid = object.text("uuid");
  gpu.sm = object.count("sm");
  gpu.gcn = object.text("gcn");
  gpu.rank = object.count("rank");
  gpu.gdr = object.flag("gdr");
  gpu.memory = object.bytes("memory");
  gpu.module_id = object.count("module_id");
  gpu.virtualization = object.text("virtualization");
  gpu.mig = object.flag("mig");
  gpu.numa_node = object.count("memory_numa_node");
  const auto xgmi = find(value, "xgmi");
  gpu.xgmi = xgmi && as_bool(*xgmi);
  gpu.nvlinks_up = object.count("nvlinks_up");
  const std::string& around = object.default_source();
  object.for_each("nvlinks",
                  [&](const Value& links) { gpu.nvlinks.push_back(read_nvlinks(links, around)); });
  object.for_each("c2c", [&](const Value& links) {
    const ObjectReader inner(links, around);
    gpu.c2c.push_back({*inner.get("bandwidth", as_rate), *inner.count("count")});
  });
  object.for_each("vgpus", [&](const Value& vgpu) {
    const auto vm = find(vgpu, "vm");
    gpu.vgpus.push_back({as_string(*find(vgpu, "profile")), vm ? as_string(*vm) : ""});
  });
  gpu.nccl_attributes = read_attributes(value);
  return gpu;
}

/// Keys of GPUs only: a device of kind "gpu" with one of them is a listed GPU.
bool has_gpu_key(const Value& value) {
  static constexpr const char* kGpuKeys[] = {
      "index",          "uuid",       "sm",     "gcn",
      "rank",           "gdr",        "memory", "module_id",
      "virtualization", "mig",        "c2c",    "memory_numa_node",
      "nvlinks",        "nvlinks_up", "vgpus",  "nccl"};
  return std::ranges::any_of(kGpuKeys,
                             [&](const char* key) { return value.member(key) != nullptr; });
}

void split_ids(const Maybe<std::string>& pair, Maybe<std::string>& first,
               Maybe<std::string>& second) {
  if (!pair) return;
  const std::size_t colon = std::min(pair->value.find(':'), pair->value.size());
  const std::string before = pair->value.substr(0, colon);
  const std::string behind =
      colon < pair->value.size() ? pair->value.substr(colon + 1) : std::string();
  if (!before.empty()) first = {before, pair->source};
  if (!behind.empty()) second = {behind, pair->source};
}

/// Keeps the name of a NIC that has the form of a port name ("vmnic4").
void name_port(const Value& name, const std::string& source, Device& nic) {
  if (!is_free_nic_name(as_string(name))) return;
  if (nic.ports.empty()) nic.ports.emplace_back();
  if (!nic.ports.front().name) nic.ports.front().name = {as_string(name), source};
}

Device read_device(const Value& value, const std::string& around) {
  const ObjectReader object(value, around);
  Device device;
  device.kind = device_kind_of(as_string(*find(value, "kind")));
  if (const auto bus_id = find(value, "bus_id")) {
    device.bus_id = normalized_bus_id(as_string(*bus_id));
  }
  device.model = object.text("model");
  device.name = object.text("product");
  device.pci_class = object.text("pci_class");
  split_ids(object.text("pci_id"), device.vendor, device.device);
  split_ids(object.text("subsystem"), device.subsystem_vendor, device.subsystem_device);
  device.driver = object.text("driver");
  device.link = object.link("link");
  device.link_now = object.link("link_now");
  device.nccl_speed = object.text("nccl_link_speed");
  device.nccl_width = object.count("nccl_link_width");
  device.numa_node = object.count("numa_node");
  device.cpu_list = object.text("cpus");
  device.parent = object.text("bridge");
  device.root_complex = object.text("root_complex");
  device.acs_redirect = object.flag("acs_redirect");
  device.slot = object.text("slot");
  device.passthrough = object.flag("passthrough");
  device.virtual_functions = object.count("virtual_functions");
  if (device.kind == DeviceKind::kGpu && has_gpu_key(value)) device.gpu = read_gpu(value, object);
  object.for_each("ports", [&](const Value& port) {
    device.ports.push_back(read_port(port, object.default_source()));
  });
  if (device.kind == DeviceKind::kNic) {
    name_port(*find(value, "name"), object.default_source(), device);
  }
  return device;
}

PathMatrix read_matrix(const Value& value, const std::string& around) {
  const ObjectReader object(value, around);
  PathMatrix matrix;
  matrix.source = object.default_source();
  const auto texts = [](const Value& list) {
    std::vector<std::string> all;
    for (const Value& text : list.elements()) all.push_back(as_string(text));
    return all;
  };
  matrix.names = texts(*find(value, "names"));
  object.for_each("rows", [&](const Value& row) { matrix.cells.push_back(texts(row)); });
  if (const auto cpus = find(value, "cpus")) matrix.cpu_list = texts(*cpus);
  if (const auto numa = find(value, "numa")) matrix.numa = texts(*numa);
  for (auto& cells : matrix.cells) cells.resize(matrix.names.size());
  matrix.cells.resize(matrix.names.size(), std::vector<std::string>(matrix.names.size()));
  matrix.cpu_list.resize(matrix.names.size());
  matrix.numa.resize(matrix.names.size());
  if (const auto nics = find(value, "nics")) {
    for (const Member& member : nics->members()) {
      matrix.nic_legend[member.name] = as_string(member.value);
    }
  }
  return matrix;
}

ChosenGraph read_graph(const Value& value) {
  const auto number = [&](const char* key) {
    const auto found = find(value, key);
    return found ? as_double(*found) : 0.0;
  };
  const auto text = [&](const char* key) {
    const auto found = find(value, key);
    return found ? as_string(*found) : std::string();
  };
  ChosenGraph graph;
  graph.id = as_count(*find(value, "id"));
  graph.pattern = as_count(*find(value, "pattern"));
  if (const auto cross = find(value, "cross_nic")) graph.cross_nic = as_count(*cross);
  graph.speed_intra = number("speed_intra");
  graph.speed_inter = number("speed_inter");
  graph.latency_inter = number("latency_inter");
  graph.type_intra = text("type_intra");
  graph.type_inter = text("type_inter");
  const auto same = find(value, "same_channels");
  graph.same_channels = !same || as_bool(*same);
  for (const Value& channel : find(value, "channels")->elements()) {
    auto& steps = graph.channels.emplace_back();
    for (const Value& step : channel.elements()) steps.push_back(*parse_step(as_string(step)));
  }
  return graph;
}

/// The shape was checked before, so values have the right kinds. Each object states the source of
/// its values, or inherits it; lists are flat, and TreeBuilder converts them to trees.
Inventory read_host(const Value& value, Diagnostics& diagnostics) {
  const ObjectReader object(value, {});
  Inventory host;
  host.name = object.text("name");
  host.object_id = object.text("object_id");
  host.vendor = object.text("vendor");
  host.model = object.text("product");
  host.hypervisor = object.text("hypervisor");
  host.driver = object.text("driver");
  host.cpu_name = object.text("cpu");
  host.packages = object.count("sockets");
  host.cores = object.count("cores");
  host.threads = object.count("threads");
  host.memory = object.bytes("memory");
  host.nccl_version = object.count("nccl_version");
  const std::string& around = object.default_source();
  TreeBuilder trees(host, diagnostics);
  object.for_each("numa_nodes", [&](const Value& node) {
    trees.add_numa_node(node, read_numa_node(node, around));
  });
  object.for_each("devices", [&](const Value& device) {
    trees.add_device(device, read_device(device, around));
  });
  trees.build();
  if (const auto matrix = find(value, "matrix")) host.matrix = read_matrix(*matrix, around);
  object.for_each("nccl_graphs",
                  [&](const Value& graph) { host.graphs.push_back(read_graph(graph)); });
  const auto texts = [&](const char* key, std::vector<std::string>& list) {
    object.for_each(key, [&](const Value& text) { list.push_back(as_string(text)); });
  };
  texts("device_groups", host.device_groups);
  texts("vgpu_profiles", host.profiles);
  texts("assumed", host.assumed);
  texts("skipped", host.skipped);
  return host;
}

}  // namespace

bool is_topology_text(std::string_view text) {
  return text.substr(0, 4096).find(kTopologyFormat) != text.npos;
}

tl::expected<Inventory, Diagnostics> read_topology_file(const SourcePtr& source) {
  const auto value = read_json(source);
  if (!value) return tl::unexpected(value.error());
  Diagnostics diagnostics;
  check(*value, topology_shape(), diagnostics);
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
  Inventory host = read_host(*value, diagnostics);
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
  host.warnings = diagnostics;
  return host;
}

}  // namespace vgsim::topology::inventory
