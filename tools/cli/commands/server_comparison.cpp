#include "tools/cli/commands/server_comparison.hpp"

#include <fmt/format.h>

#include "topology/catalog/part_fit.hpp"
#include "topology/catalog/part_names.hpp"
#include "topology/hosts/compare_hosts.hpp"
#include "topology/hosts/host_builder.hpp"
#include "topology/input/suggest.hpp"
#include "topology/machine/build_host.hpp"

namespace vgsim::cli {
namespace {

using topology::Catalog;
using topology::ServerModel;

/// Any NIC that fits in a slot; empty if the catalogue has none.
std::string nic_for(const topology::PcieAttachment& slot, const Catalog& catalog) {
  for (const auto& [id, nic] : catalog.nics) {
    if (!topology::incompatibility(nic, slot)) return id;
  }
  return {};
}

/// The server as in a scenario, with a NIC of its link's speed in every slot.
topology::Topology built_server(const ServerModel& server, const Catalog& catalog,
                                input::Diagnostics& diagnostics) {
  topology::HostSpec host;
  host.server = {{server.id, {}}, {}, true};
  std::size_t index = 0;
  for (const auto& [slot, place] : server.nic_slots) {
    topology::NicSpec spec;
    spec.nic = {nic_for(place, catalog), {}, true};
    spec.slot = {slot, {}, true};
    host.nics.push_back({fmt::format("slot-{}", index++), {}, std::move(spec), {}});
  }
  topology::Topology topology;
  const auto no_file =
      [](const std::string&) -> tl::expected<input::SourcePtr, input::Diagnostics> {
    return tl::unexpected(input::Diagnostics());
  };
  topology::build_host(topology, catalog, server.id, host, {}, no_file, diagnostics);
  return topology;
}

std::string listed(const char* title, const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += fmt::format("  {}: {}\n", title, line);
  return text;
}

}  // namespace

tl::expected<std::string, input::Diagnostics> server_comparison(
    const topology::inventory::Inventory& host, const std::string& server, const Catalog& catalog) {
  input::Diagnostics diagnostics;
  const auto meant = topology::matching_part(catalog, "servers", server);
  const auto known = catalog.servers.find(meant.value_or(server));
  if (known == catalog.servers.end()) {
    std::vector<std::string> names;
    for (const auto& [name, model] : catalog.servers) names.push_back(name);
    diagnostics.error("E411", {}, "", fmt::format("unknown server \"{}\"", server),
                      "a name that vgsim catalog servers lists", input::suggest(server, names));
    return tl::unexpected(diagnostics);
  }
  const topology::Topology catalogued = built_server(known->second, catalog, diagnostics);
  topology::Topology imported;
  topology::DeviceBuilder devices(imported, catalog, "dump");
  topology::inventory::HostCompletion completion;
  const auto gpu = catalog.gpus.find(known->second.default_gpu);
  if (gpu != catalog.gpus.end()) completion.gpu = &gpu->second;
  topology::inventory::build_inventory_host(host, completion, {input::make_source("the dump", "")},
                                            devices, diagnostics);
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
  const std::string& name = known->first;
  const auto found = topology::compare_hosts(imported, "the dump", catalogued, name);
  std::string text = fmt::format("against {}: {} of {} path classes differ\n", name,
                                 found.paths.size(), found.compared);
  return text + listed("path", found.paths) + listed("speed", found.speeds) +
         listed("setting", found.settings);
}

}  // namespace vgsim::cli
