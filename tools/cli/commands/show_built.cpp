#include "tools/cli/commands/show_built.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "models/scenario/build/cluster.hpp"
#include "models/scenario/read/layouts.hpp"
#include "models/scenario/read/library.hpp"
#include "models/vsphere/nic_costs.hpp"
#include "tools/cli/text/host_tree_text.hpp"
#include "tools/cli/text/path_matrix_text.hpp"
#include "tools/text/figures.hpp"
#include "tools/text/table.hpp"
#include "topology/catalog/lane_use.hpp"
#include "topology/hosts/host_builder.hpp"
#include "topology/machine/built_inventory.hpp"
#include "topology/machine/path_classes.hpp"

namespace vgsim::cli {
namespace {

using input::Value;
using scenario::Cluster;
using topology::inventory::Inventory;

constexpr std::size_t kShowWidth = 80;

std::string drawn_text(const Inventory& host, const topology::Catalog& catalog) {
  return host_tree_text(host, catalog) + '\n' +
         path_matrix_text(topology::inventory::path_classes(host));
}

/// "esx01, esx02 and 14 more".
std::string some_of(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 4;
  if (names.size() <= kShown) return fmt::format("{}", fmt::join(names, ", "));
  return fmt::format("{} and {} more", fmt::join(names.begin(), names.begin() + kShown, ", "),
                     names.size() - kShown);
}

/// "Dell PowerEdge XE9680", for a server of the catalogue or a described one.
std::string server_of(const scenario::Layout& layout, const std::string& host,
                      const topology::Catalog& catalog) {
  const auto described = std::find_if(layout.hosts.begin(), layout.hosts.end(),
                                      [&](const auto& each) { return each.name == host; });
  const auto server =
      described == layout.hosts.end() ? std::nullopt : described->value->spec.server;
  if (server && (*server)->described) return (*server)->described->name.value_or("");
  const auto model = server ? catalog.servers.find((*server)->name) : catalog.servers.end();
  return model == catalog.servers.end() ? "" : model->second.name;
}

/// The different hosts of a layout, each with the names of all hosts equal to it.
std::vector<std::string> host_texts(const scenario::Layout& layout, const Cluster& cluster,
                                    const topology::Catalog& catalog) {
  std::vector<std::vector<std::string>> names(cluster.topology.hosts.size());
  for (const auto& host : cluster.hosts) names[host.kind].push_back(host.name);
  std::vector<std::string> texts;
  for (std::size_t kind = 0; kind < names.size(); ++kind) {
    Inventory host = topology::inventory::built_inventory(cluster.topology, kind, catalog);
    host.name->value = some_of(names[kind]);
    const std::string server = server_of(layout, names[kind].front(), catalog);
    if (!server.empty()) host.model = {server, "catalogue"};
    texts.push_back(drawn_text(host, catalog));
  }
  return texts;
}

const char* word_for(vsphere::GuestTopology topology) {
  switch (topology) {
    case vsphere::GuestTopology::kFlat:
      return "flat";
    case vsphere::GuestTopology::kVnuma:
      return "vnuma";
    case vsphere::GuestTopology::kTopoFile:
      return "topo_file";
  }
  return "";
}

/// "gpu0, gpu1 in passthrough", "gpu0, gpu1 as vGPU (grid_a100d-80c)".
std::string gpus_of_vm(const vsphere::VirtualMachine& vm) {
  std::vector<std::string> gpus;
  std::set<std::string> profiles;
  for (std::size_t g = 0; g < vm.gpus.size(); ++g) {
    gpus.push_back(fmt::format("gpu{}", vm.gpus[g]));
    if (g < vm.profiles.size() && vm.profiles[g] != nullptr) profiles.insert(vm.profiles[g]->name);
  }
  if (gpus.empty()) return "no GPU";
  const std::string of =
      profiles.empty() ? std::string() : fmt::format(" ({})", fmt::join(profiles, ", "));
  return fmt::format("{} {}{}", fmt::join(gpus, ", "), vm.mode->given, of);
}

/// "; vmnic4 vmxnet3 (TCP: 28 Gbit/s with 1 connection, 150 Gbit/s with 4)".
std::string nics_of_vm(const vsphere::VirtualMachine& vm, const topology::Host& host,
                       const calibration::Parameters& parameters) {
  constexpr double kGbit = 1e9 / 8;
  std::string text;
  for (const auto& nic : vm.nics) {
    const topology::HostNic& card = host.nics[nic.host_nic];
    const BytesPerSecond port{static_cast<std::int64_t>(
        static_cast<double>(card.port_rate.count()) * card.payload_share)};
    const auto tcp = [&](int connections) {
      const auto rate = vsphere::tcp_rate(vsphere::tcp_limits(*nic.mode, parameters), connections,
                                          port, vm.settings.vcpus);
      return static_cast<double>(rate.count()) / kGbit;
    };
    text += fmt::format("; {} {} (TCP: {} Gbit/s with 1 connection, {} Gbit/s with 4)", card.name,
                        nic.mode->key, text::rounded(tcp(1), 2), text::rounded(tcp(4), 2));
  }
  return text;
}

/// Equal VMs on equal hosts in one line.
std::string vms_text(const Cluster& cluster, const calibration::Parameters& parameters) {
  std::map<std::size_t, std::pair<std::vector<std::string>, std::set<std::string>>> by_kind;
  for (const scenario::Machine& machine : cluster.machines) {
    auto& [vms, hosts] = by_kind[machine.kind];
    vms.push_back(machine.name);
    hosts.insert(cluster.hosts[machine.host].name);
  }
  std::string text;
  for (const auto& [kind, names] : by_kind) {
    const vsphere::VirtualMachine& vm = cluster.kinds[kind];
    if (!vm.mode->is_virtual) continue;
    const std::vector<std::string> hosts(names.second.begin(), names.second.end());
    text += text::wrap(fmt::format("  {} on {}: {}{}; NCCL sees: {}", some_of(names.first),
                                   some_of(hosts), gpus_of_vm(vm),
                                   nics_of_vm(vm, cluster.topology.hosts[vm.host], parameters),
                                   word_for(vm.guest_topology)),
                       6, kShowWidth) +
            '\n';
  }
  return text.empty() ? "  no VMs: the job runs on the hosts\n" : text;
}

std::string lanes_text(const topology::ServerModel& server, const topology::Catalog& catalog) {
  const auto& cpu = catalog.cpus.at(server.cpu.value);
  std::string text = "\nPCIe lanes\n";
  std::size_t socket = 0;
  for (const auto& [offered, taken] : topology::lane_use(server, cpu)) {
    text += fmt::format("  socket{}    {}", socket++, taken);
    text += offered == 0      ? "\n"
            : taken > offered ? fmt::format(" of {}: not all at once\n", offered)
                              : fmt::format(" of {}, {} left\n", offered, offered - taken);
  }
  if (server.other_lanes.empty()) return text;
  return text + text::wrap("  for " + server.other_lanes, 2, kShowWidth) + '\n';
}

}  // namespace

std::string server_text(const topology::ServerModel& server, const topology::Catalog& catalog) {
  topology::HostSpec host;
  host.server = {{server.id, {}}, {}, true};
  const auto no_file =
      [](const std::string&) -> tl::expected<input::SourcePtr, input::Diagnostics> {
    return tl::unexpected(input::Diagnostics());
  };
  topology::Topology built;
  input::Diagnostics diagnostics;  // The catalogue has been validated.
  topology::build_host(built, catalog, server.id, host, {}, no_file, diagnostics);
  Inventory inventory = topology::inventory::built_inventory(built, 0, catalog);
  inventory.model = {server.name, "catalogue"};
  std::string text = drawn_text(inventory, catalog) + "\nslots for NICs\n";
  for (const auto& [name, slot] : server.nic_slots) {
    text += fmt::format("  {:<10} under {}, Gen{} x{}\n", name, slot.under, slot.generation,
                        slot.lanes);
  }
  if (server.nic_slots.empty()) text += "  none\n";
  return text + lanes_text(server, catalog);
}

tl::expected<std::string, input::Diagnostics> scenario_hosts_text(
    const ScenarioInput& scenario, const scenario::Library& library) {
  input::Diagnostics diagnostics;
  const auto read = scenario::read_scenario(scenario.document, library);
  if (!read) return tl::unexpected(read.error());
  std::set<std::string> drawn;
  std::string text;
  std::string machines;
  for (const auto& each : read->layouts) {
    const scenario::Layout& layout = *each;
    input::Diagnostics own;
    const Cluster cluster = scenario::build_cluster(
        layout, library, scenario.load, [](const std::string&) { return std::string(); }, own);
    diagnostics.append(own);
    if (own.has_errors()) continue;
    for (const std::string& host : host_texts(layout, cluster, *library.catalog)) {
      if (drawn.insert(host).second) text += host + '\n';
    }
    machines += fmt::format("{}VMs of layout {}\n{}", machines.empty() ? "" : "\n", layout.name,
                            vms_text(cluster, library.parameters));
  }
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
  return text + machines;
}

}  // namespace vgsim::cli
