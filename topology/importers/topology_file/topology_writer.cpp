#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <map>
#include <nlohmann/json.hpp>

#include "topology/graph/pcie_speed.hpp"
#include "topology/importers/topology_file/sourced_object.hpp"
#include "topology/importers/topology_file/topology_file.hpp"
#include "topology/input/units/exact_time.hpp"
#include "topology/machine/device_names.hpp"
#include "topology/machine/json_text.hpp"
#include "topology/machine/topology_words.hpp"
#include "topology/machine/unknown_facts.hpp"

namespace vgsim::topology::inventory {
namespace {

using Json = SourcedObject::Json;

struct Unit {
  const char* name;
  std::int64_t size;
};

/// Exact, in the first unit that divides the count; the last unit has size 1.
Json exact_json(std::int64_t count, std::initializer_list<Unit> units) {
  const auto unit =
      std::ranges::find_if(units, [&](const Unit& each) { return count % each.size == 0; });
  return fmt::format("{} {}", count / unit->size, unit->name);
}

Json bytes_json(Bytes value) {
  if (value == Bytes{}) return "0 B";
  return exact_json(value.count(),
                    {{"GiB", 1LL << 30}, {"MiB", 1LL << 20}, {"KiB", 1LL << 10}, {"B", 1}});
}

Json port_rate_json(BytesPerSecond rate) {
  return exact_json(rate.count(), {{"Gbit/s", 125'000'000}, {"Mbit/s", 125'000}, {"B/s", 1}});
}

Json link_rate_json(BytesPerSecond rate) {
  return exact_json(rate.count(), {{"GB/s", 1'000'000'000}, {"MB/s", 1'000'000}, {"B/s", 1}});
}

Json width_json(PcieWidth width) { return to_text(width); }

Json attributes_json(const Attributes& attributes) {
  Json json = Json::object();
  for (const auto& [name, value] : attributes) json[name] = value;
  return json;
}

/// "10de:20b2" from two hex numbers, with the source of the first.
Maybe<std::string> id_pair(const Maybe<std::string>& vendor, const Maybe<std::string>& device) {
  if (!vendor && !device) return std::nullopt;
  const auto text = [](const Maybe<std::string>& part) { return part ? part->value : ""; };
  return Stated<std::string>{fmt::format("{}:{}", text(vendor), text(device)),
                             vendor ? vendor->source : device->source};
}

Json node_json(const NumaNode& node, std::size_t index, const std::string& around) {
  SourcedObject object;
  object.put_plain("name", numa_node_name(index));
  object.put("id", node.id);
  object.put("socket", node.package);
  object.put("cpus", node.cpu_list);
  object.put("affinity", node.affinity);
  object.put("arch", node.arch);
  object.put("cpu_vendor", node.vendor);
  object.put("cpu_family", node.family);
  object.put("cpu_model", node.model);
  object.put("cpu", node.cpu_name);
  object.put("cores", node.cores);
  object.put("memory", node.memory, bytes_json);
  object.put("host_hash", node.host_hash);
  object.list_unknown(unknown_keys(node));
  return object.finish(around);
}

Json port_json(const Port& port, const std::string& around) {
  SourcedObject object;
  object.put("name", port.name);
  object.put("dev", port.dev);
  object.put("speed", port.rate, port_rate_json);
  object.put("port", port.port);
  object.put("guid", port.guid);
  object.put("maxconn", port.maxconn);
  object.put("latency", port.latency, input::exact_time_text);
  object.put("gdr", port.gdr);
  object.put("coll", port.coll);
  object.put("keep", port.keep);
  if (!port.nccl_attributes.empty()) {
    object.put_plain("nccl", attributes_json(port.nccl_attributes));
  }
  return object.finish(around);
}

Json links_json(const NvLinks& links, const std::string& around) {
  SourcedObject object;
  object.put("to", links.target);
  object.put("class", links.target_class);
  object.put("count", links.count);
  object.put("bandwidth", links.rate, link_rate_json);
  return object.finish(around);
}

Json c2c_json(const C2cLinks& links, const std::string& around) {
  SourcedObject object;
  object.put("count", links.count);
  object.put("bandwidth", links.rate, link_rate_json);
  return object.finish(around);
}

void put_gpu(const Gpu& gpu, SourcedObject& object) {
  object.put("index", gpu.index);
  object.put("uuid", gpu.uuid);
  object.put("sm", gpu.sm);
  object.put("gcn", gpu.gcn);
  object.put("rank", gpu.rank);
  object.put("gdr", gpu.gdr);
  object.put("memory", gpu.memory, bytes_json);
  object.put("module_id", gpu.module_id);
  object.put("virtualization", gpu.virtualization);
  object.put("mig", gpu.mig);
  object.put("memory_numa_node", gpu.numa_node);
  if (gpu.xgmi) object.put_plain("xgmi", true);
  object.put("nvlinks_up", gpu.nvlinks_up);
}

/// `around`: the default source of the device.
void put_gpu_lists(const Gpu& gpu, const std::string& around, SourcedObject& object) {
  Json nvlinks = Json::array();
  for (const NvLinks& links : gpu.nvlinks) nvlinks.push_back(links_json(links, around));
  if (!nvlinks.empty()) object.put_plain("nvlinks", std::move(nvlinks));
  Json c2c = Json::array();
  for (const C2cLinks& links : gpu.c2c) c2c.push_back(c2c_json(links, around));
  if (!c2c.empty()) object.put_plain("c2c", std::move(c2c));
  Json vgpus = Json::array();
  for (const Vgpu& vgpu : gpu.vgpus) {
    Json json = {{"profile", vgpu.profile}};
    if (!vgpu.vm.empty()) json["vm"] = vgpu.vm;
    vgpus.push_back(std::move(json));
  }
  if (!vgpus.empty()) object.put_plain("vgpus", std::move(vgpus));
  if (!gpu.nccl_attributes.empty()) {
    object.put_plain("nccl", attributes_json(gpu.nccl_attributes));
  }
}

/// Whether `link` alone reproduces the link of an NCCL file.
bool link_says_it_all(const Device& device) {
  if (!device.link || !device.nccl_speed || !device.nccl_width) return false;
  Device plain;
  plain.link = device.link;
  return device.nccl_speed->value == pcie_link_speed(plain.link->value.generation) &&
         device.nccl_width->value == plain.link->value.lanes;
}

Json device_json(const NamedDevice& named, const std::string& around) {
  const Device& device = *named.device;
  SourcedObject object;
  object.put_plain("name", named.name);
  object.put_plain("kind", to_word(device.kind));
  if (!named.under.empty()) object.put_plain("under", named.under);
  if (named.without_pcie) object.put_plain("without_pcie", true);
  if (!device.bus_id.empty()) object.put_plain("bus_id", device.bus_id);
  object.put("model", device.model);
  object.put("product", device.name);
  object.put("pci_class", device.pci_class);
  // A vendor without a device id does not identify a device.
  if (device.device) object.put("pci_id", id_pair(device.vendor, device.device));
  object.put("subsystem", id_pair(device.subsystem_vendor, device.subsystem_device));
  object.put("driver", device.driver);
  object.put("link", device.link, width_json);
  object.put("link_now", device.link_now, width_json);
  if (!link_says_it_all(device)) {
    object.put("nccl_link_speed", device.nccl_speed);
    object.put("nccl_link_width", device.nccl_width);
  }
  object.put("numa_node", device.numa_node);
  object.put("cpus", device.cpu_list);
  object.put("bridge", device.parent);
  object.put("root_complex", device.root_complex);
  object.put("acs_redirect", device.acs_redirect);
  object.put("slot", device.slot);
  object.put("passthrough", device.passthrough);
  object.put("virtual_functions", device.virtual_functions);
  if (device.gpu) put_gpu(*device.gpu, object);
  const std::string inner = object.default_source(around);
  if (device.gpu) put_gpu_lists(*device.gpu, inner, object);
  if (!device.ports.empty()) {
    Json ports = Json::array();
    for (const Port& port : device.ports) ports.push_back(port_json(port, inner));
    object.put_plain("ports", std::move(ports));
  }
  object.list_unknown(unknown_keys(named));
  return object.finish(around);
}

Json matrix_json(const PathMatrix& matrix, const std::string& around) {
  Json json = {{"names", matrix.names}, {"rows", matrix.cells}};
  const auto any = [](const std::vector<std::string>& texts) {
    return std::ranges::any_of(texts, [](const auto& text) { return !text.empty(); });
  };
  if (any(matrix.cpu_list)) json["cpus"] = matrix.cpu_list;
  if (any(matrix.numa)) json["numa"] = matrix.numa;
  if (!matrix.nic_legend.empty()) json["nics"] = matrix.nic_legend;
  if (matrix.source != around) json["from"] = matrix.source;
  return json;
}

Json graph_json(const ChosenGraph& graph) {
  Json json = {{"id", graph.id},
               {"pattern", graph.pattern},
               {"cross_nic", graph.cross_nic},
               {"speed_intra", graph.speed_intra},
               {"speed_inter", graph.speed_inter},
               {"latency_inter", graph.latency_inter},
               {"type_intra", graph.type_intra},
               {"type_inter", graph.type_inter},
               {"same_channels", graph.same_channels}};
  Json channels = Json::array();
  for (const auto& channel : graph.channels) {
    Json steps = Json::array();
    for (const auto& step : channel) steps.push_back(to_text(step));
    channels.push_back(std::move(steps));
  }
  json["channels"] = std::move(channels);
  return json;
}

/// The source of most devices, omitted in each of them.
std::string common_source(const Inventory& host) {
  std::map<std::string, int> times;
  for_each_device(host, [&](const Device& device) {
    for (const auto* stated : {&device.pci_class, &device.name, &device.vendor}) {
      if (*stated) ++times[(*stated)->source];
    }
  });
  for (const NumaNode& node : host.numa_nodes) {
    if (node.id) ++times[node.id->source];
  }
  const auto most = std::ranges::max_element(
      times, [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == times.end() ? std::string() : most->first;
}

void put_host(const Inventory& host, SourcedObject& object) {
  object.put("name", host.name);
  object.put("object_id", host.object_id);
  object.put("vendor", host.vendor);
  object.put("product", host.model);
  object.put("hypervisor", host.hypervisor);
  object.put("driver", host.driver);
  object.put("cpu", host.cpu_name);
  object.put("sockets", host.packages);
  object.put("cores", host.cores);
  object.put("threads", host.threads);
  object.put("memory", host.memory, bytes_json);
  object.put("nccl_version", host.nccl_version);
}

}  // namespace

/// Most values of a host come from one file. That source is written once, at the root; objects
/// state theirs only if it differs. The default of an object is the most frequent source of its
/// values.
std::string to_topology_text(const Inventory& host) {
  SourcedObject object;
  object.put_plain("format", kTopologyFormat);
  put_host(host, object);
  const std::string common = common_source(host);
  const std::string around = common.empty() ? object.default_source({}) : common;
  Json top = object.finish_as(around);
  Json nodes = Json::array();
  for (std::size_t n = 0; n < host.numa_nodes.size(); ++n) {
    nodes.push_back(node_json(host.numa_nodes[n], n, around));
  }
  top["numa_nodes"] = std::move(nodes);
  Json devices = Json::array();
  for (const NamedDevice& named : name_devices(host)) devices.push_back(device_json(named, around));
  top["devices"] = std::move(devices);
  if (host.matrix) top["matrix"] = matrix_json(*host.matrix, around);
  for (const ChosenGraph& graph : host.graphs) top["nccl_graphs"].push_back(graph_json(graph));
  if (!host.device_groups.empty()) top["device_groups"] = host.device_groups;
  if (!host.profiles.empty()) top["vgpu_profiles"] = host.profiles;
  if (!host.assumed.empty()) top["assumed"] = host.assumed;
  if (!host.skipped.empty()) top["skipped"] = host.skipped;
  return to_readable_text(top);
}

}  // namespace vgsim::topology::inventory
