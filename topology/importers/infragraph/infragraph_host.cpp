#include "topology/importers/infragraph/infragraph_host.hpp"

#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "topology/importers/infragraph/infragraph_expand.hpp"
#include "topology/importers/infragraph/infragraph_nvlinks.hpp"
#include "topology/importers/infragraph/infragraph_tree.hpp"
#include "topology/importers/infragraph/infragraph_widths.hpp"
#include "topology/importers/text.hpp"
#include "topology/inventory/import_codes.hpp"

namespace vgsim::topology::infragraph {
namespace {

using input::Diagnostics;
using inventory::DeviceKind;
using inventory::Inventory;
using inventory::kAssumed;
using inventory::Told;

constexpr std::size_t kMaxDevices = 4096;
constexpr std::size_t kMaxCpus = 1024;

DeviceKind kind_for(const Branch& branch, Role role) {
  if (branch.is_bridge) return DeviceKind::kBridge;
  switch (role) {
    case Role::kGpu:
      return DeviceKind::kGpu;
    case Role::kNic:
      return DeviceKind::kNic;
    case Role::kNvSwitch:
      return DeviceKind::kNvSwitch;
    case Role::kStorage:
      return DeviceKind::kStorage;
    default:
      return DeviceKind::kOther;
  }
}

/// First what the links say: switches that NVLinks lead to are NVSwitches, whatever they are
/// called. Then bus ids for the GPUs that links name, the PCIe tree, the NUMA nodes (one for each
/// CPU), and at the end what no tree holds.
class HostBuilder {
 public:
  HostBuilder(Expansion expansion, std::string node, NoteBook& notes, std::string source)
      : expansion_(std::move(expansion)),
        node_(std::move(node)),
        notes_(notes),
        source_(std::move(source)),
        widths_(source_) {}

  /// False if the host is too large or deep.
  [[nodiscard]] bool build();

  Inventory host;

 private:
  [[nodiscard]] Notes notes_of(std::uint32_t vertex) {
    return notes_.of(fmt::format("{}.{}", node_, expansion_.vertices[vertex].name));
  }
  [[nodiscard]] Told<std::string> told(const std::string& text) const { return {text, source_}; }

  [[nodiscard]] bool is_too_large() const;
  void number_gpus();
  void add_cpus();
  void place(const Tree& tree);
  [[nodiscard]] inventory::Device device_of(const Branch& branch);
  [[nodiscard]] inventory::Gpu gpu_of(std::uint32_t vertex, const Notes& notes);
  void mention(const Tree& tree);
  void mention_left_out();
  void assume(std::string sentence) { host.assumed.push_back(std::move(sentence)); }
  void skip(std::string sentence) { host.skipped.push_back(std::move(sentence)); }

  Expansion expansion_;
  std::string node_;
  NoteBook& notes_;
  std::string source_;
  PcieWidths widths_;
  std::map<std::uint32_t, std::int64_t> gpu_numbers_;
  GpuLinks gpu_links_;
  std::map<std::uint32_t, std::string> placeholders_;  ///< bus ids of GPUs that are told none
  std::map<std::uint32_t, std::size_t> roots_;
  std::vector<bool> used_;
};

/// GPUs in the order of the graph, and bus ids for those that others have links to.
void HostBuilder::number_gpus() {
  BusIds bus_ids;
  const std::set<std::uint32_t> linked = linked_gpus(expansion_);
  std::vector<std::string> invented;
  for (std::uint32_t vertex = 0; vertex < expansion_.vertices.size(); ++vertex) {
    const Role role = expansion_.vertices[vertex].role;
    if (role != Role::kGpu && role != Role::kNvSwitch) continue;
    const std::string id = notes_of(vertex).bus_id();
    if (!id.empty()) bus_ids[vertex] = told(id);
    if (role == Role::kNvSwitch) continue;
    const auto number = static_cast<std::int64_t>(gpu_numbers_.size());
    gpu_numbers_[vertex] = number;
    if (!id.empty() || !linked.contains(vertex)) continue;
    placeholders_[vertex] =
        inventory::placeholder_bus_id(DeviceKind::kGpu, static_cast<std::size_t>(number));
    bus_ids[vertex] = {placeholders_[vertex], kAssumed};
    invented.push_back(placeholders_[vertex]);
  }
  if (!invented.empty()) {
    assume(
        fmt::format("bus ids of GPUs are made up, for NVLinks to point to: {}", few_of(invented)));
  }
  gpu_links_ = gpu_links(expansion_, bus_ids, source_);
}

void HostBuilder::add_cpus() {
  std::int64_t number = 0;
  bool all_told = true;
  for (std::uint32_t vertex = 0; vertex < expansion_.vertices.size(); ++vertex) {
    const Vertex& cpu = expansion_.vertices[vertex];
    if (cpu.role != Role::kCpu) continue;
    inventory::NumaNode node;
    node.id = Told<std::int64_t>{number, kAssumed};
    node.package = node.id;
    const std::string model = model_of(*cpu.component);
    if (model == "GenuineIntel" || model == "AuthenticAMD") {
      node.vendor = told(model);
    } else if (!model.empty()) {
      node.cpu_name = told(model);
    }
    read_notes(notes_of(vertex), node);
    all_told = all_told && node.id->source != kAssumed && node.package->source != kAssumed;
    host.numa_nodes.push_back(std::move(node));
    ++number;
  }
  if (!all_told) {
    assume(
        "each CPU is taken as a socket with one NUMA node, both with the CPU's number in the "
        "graph");
  }
}

inventory::Gpu HostBuilder::gpu_of(std::uint32_t vertex, const Notes& notes) {
  inventory::Gpu gpu;
  gpu.index = Told<std::int64_t>{gpu_numbers_.at(vertex), kAssumed};
  read_notes(notes, gpu);
  gpu.xgmi = gpu_links_.xgmi.contains(vertex);
  gpu.nvlinks = gpu_links_.of_gpus[vertex];
  return gpu;
}

inventory::Device HostBuilder::device_of(const Branch& branch) {
  inventory::Device device;
  if (branch.vertex < expansion_.vertices.size()) {
    const Vertex& vertex = expansion_.vertices[branch.vertex];
    used_[branch.vertex] = true;
    device.kind = kind_for(branch, vertex.role);
    const std::string model = model_of(*vertex.component);
    if (!model.empty()) device.name = told(model);
    const Notes notes = notes_of(branch.vertex);
    read_notes(notes, device);
    if (device.kind == DeviceKind::kGpu) device.gpu = gpu_of(branch.vertex, notes);
    if (device.kind == DeviceKind::kNic) device.ports = read_ports(notes);
    const auto placeholder = placeholders_.find(branch.vertex);
    if (placeholder != placeholders_.end()) device.bus_id = placeholder->second;
  } else {
    device.kind = DeviceKind::kBridge;
  }
  if (!branch.without_pcie) device.link = widths_.slowest(branch.links);
  if (branch.root) {
    const auto root = roots_.emplace(*branch.root, roots_.size()).first->second;
    device.root_complex = notes_of(*branch.root).text("root_complex");
    if (!device.root_complex) {
      device.root_complex = Told<std::string>{fmt::format("fff3:{:02x}", root), kAssumed};
    }
  }
  for (const Branch& below : branch.below) device.below.push_back(device_of(below));
  return device;
}

void HostBuilder::place(const Tree& tree) {
  for (std::size_t cpu = 0; cpu < tree.of_cpus.size(); ++cpu) {
    inventory::NumaNode& node = host.numa_nodes[cpu];
    for (const Branch& branch : tree.of_cpus[cpu]) {
      auto& list = branch.without_pcie ? node.without_pcie : node.devices;
      list.push_back(device_of(branch));
    }
  }
  for (const Branch& branch : tree.unplaced) host.unplaced.push_back(device_of(branch));
}

/// Components that nothing was made of, by component.
void HostBuilder::mention_left_out() {
  std::map<std::string, std::size_t> counts;
  for (const Join& join : expansion_.joins) {
    for (const std::uint32_t end : {join.a, join.b}) {
      if (expansion_.vertices[end].role == Role::kNvSwitch) used_[end] = true;
    }
  }
  for (std::size_t i = 0; i < expansion_.vertices.size(); ++i) {
    const Vertex& vertex = expansion_.vertices[i];
    const bool is_seen = used_[i] || vertex.role == Role::kCpu || vertex.role == Role::kRoot ||
                         vertex.role == Role::kConnector;
    if (!is_seen) ++counts[vertex.component->name];
  }
  std::vector<std::string> names;
  for (const auto& [name, count] : counts) names.push_back(fmt::format("{} x {}", count, name));
  if (!names.empty()) {
    skip(fmt::format("components without a place in an inventory, or without an edge: {}",
                     few_of(names)));
  }
}

void HostBuilder::mention(const Tree& tree) {
  bool guessed_numbers = false;
  bool guessed_roots = false;
  inventory::for_each_device(host, [&](const inventory::Device& device) {
    const bool guessed = device.gpu && device.gpu->index->source == kAssumed;
    guessed_numbers = guessed_numbers || guessed;
    guessed_roots =
        guessed_roots || (device.root_complex && device.root_complex->source == kAssumed);
  });
  if (guessed_numbers) assume("GPUs are numbered in the order of the graph");
  if (guessed_roots) assume("root complexes have numbers that are made up, to tell them apart");
  if (tree.has_inferred_bridges) {
    assume("GPUs and NICs that are joined directly are taken as below one PCIe switch");
  }
  if (tree.has_c2c) assume("GPUs that no PCIe edge places are on the NUMA node of their CPU");
  if (tree.unused_joins > 0) {
    skip(
        fmt::format("{} PCIe edges that would close a loop; each device hangs on what is nearest "
                    "to a CPU",
                    tree.unused_joins));
  }
  if (!tree.unplaced.empty()) {
    skip("places of devices are not told where no PCIe edges lead to a CPU");
  }
  const auto append = [](auto& list, const auto& more) {
    list.insert(list.end(), more.begin(), more.end());
  };
  append(host.assumed, widths_.assumed);
  append(host.assumed, gpu_links_.assumed);
  append(host.assumed, expansion_.assumed);
  append(host.skipped, widths_.skipped);
  append(host.skipped, gpu_links_.skipped);
  host.warnings.append(expansion_.warnings);
  mention_left_out();
}

bool HostBuilder::is_too_large() const {
  std::size_t cpus = 0;
  std::size_t devices = 0;
  for (const Vertex& vertex : expansion_.vertices) {
    if (vertex.role == Role::kCpu) {
      ++cpus;
    } else if (vertex.role != Role::kMemory && vertex.role != Role::kPort) {
      ++devices;
    }
  }
  return cpus > kMaxCpus || devices > kMaxDevices;
}

bool HostBuilder::build() {
  find_nvswitches(expansion_);
  if (is_too_large()) return false;
  const auto tree = build_tree(expansion_);
  if (!tree) return false;
  used_.resize(expansion_.vertices.size());
  number_gpus();
  add_cpus();
  place(*tree);
  mention(*tree);
  return true;
}

}  // namespace

tl::expected<Inventory, Diagnostics> host_inventory(const DeviceIndex& devices,
                                                    const Device& device, const std::string& node,
                                                    NoteBook& notes,
                                                    const input::SourcePtr& source) {
  auto expansion = expand(devices, device, source);
  if (!expansion) return tl::unexpected(std::move(expansion.error()));
  HostBuilder builder(*std::move(expansion), node, notes, source->path);
  if (builder.build()) return std::move(builder.host);
  Diagnostics errors;
  errors.error(
      import_codes::kTooMuch.code, {source, device.place.offset, device.place.length}, "",
      fmt::format("the host \"{}\" is larger than any", device.name),
      fmt::format("at most {} CPUs, {} devices, 32 levels of PCIe", kMaxCpus, kMaxDevices));
  return tl::unexpected(std::move(errors));
}

}  // namespace vgsim::topology::infragraph
