#include "tools/cli/import/known_server.hpp"

#include <fmt/format.h>

#include "topology/catalog/part_names.hpp"
#include "topology/machine/device_names.hpp"

namespace vgsim::cli {

using topology::inventory::DeviceKind;
using topology::inventory::Inventory;

namespace {

/// Lenovo adds the machine type: "ThinkSystem SR650 V3 -[7D76CTO1WW]-".
std::string without_machine_type(const std::string& model) {
  const std::size_t type = model.find(" -[");
  return type != std::string::npos && model.ends_with("]-") ? model.substr(0, type) : model;
}

}  // namespace

const topology::ServerModel* known_server(const Inventory& host, const topology::Catalog& catalog) {
  if (!host.model) return nullptr;
  const auto name =
      topology::exactly_matching_part(catalog, "servers", without_machine_type(host.model->value));
  return name ? &catalog.servers.at(*name) : nullptr;
}

bool has_no_devices(const Inventory& host) {
  return host.numa_nodes.empty() && topology::inventory::gpus_in_order(host).empty();
}

std::vector<std::string> server_assumptions(const Inventory& host,
                                            const topology::ServerModel& server) {
  const std::string name = host.name ? host.name->value : "the host";
  std::vector<std::string> sentences = {
      fmt::format("{}: taken as the catalogue's {} in the scenario, as the files contain its model "
                  "but not its devices",
                  name, server.id)};
  if (!server.default_gpu.empty()) {
    sentences.push_back(
        fmt::format("{}: {} x {}, the default of that server; "
                    "\"gpus\" of the host changes it",
                    name, server.gpu_slots.size(), server.default_gpu));
  }
  const auto nics = topology::inventory::nics_in_order(host);
  if (!nics.empty()) {
    sentences.push_back(
        fmt::format("{}: no NIC, as the files contain the names of {} but not their models; set "
                    "\"nics\" of the host",
                    name, nics.size()));
  }
  return sentences;
}

}  // namespace vgsim::cli
