#include "tools/cli/import/planned_scenario.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "models/vsphere/facts/versions.hpp"
#include "topology/catalog/part_fit.hpp"
#include "topology/catalog/part_names.hpp"
#include "topology/input/name_ranges.hpp"
#include "topology/input/suggest.hpp"
#include "topology/machine/import_codes.hpp"

namespace vgsim::cli {
namespace {

using vsphere::import::PlannedHosts;
using vsphere::import::TableCell;
using PlannedJson = nlohmann::ordered_json;

/// Lines name servers and parts in common words; a scenario uses catalogue names.
class Planned {
 public:
  explicit Planned(const topology::Catalog& catalog) : catalog_(catalog) {}

  void add(const PlannedHosts& hosts) {
    PlannedJson host = PlannedJson::object();
    if (!hosts.cluster.empty()) host["$comment"] = "cluster: " + hosts.cluster;
    const auto server = part(catalog_.servers, "servers", "server", hosts.server, {});
    if (!server) return;
    host["server"] = *server;
    put_gpus(hosts, catalog_.servers.at(*server), host);
    put_nics(hosts, host);
    put_version(hosts.version);
    json_["hosts"][hosts.names] = std::move(host);
    json_["vms"]["vm-" + hosts.names] = {{"host", hosts.names},
                                         {"gpus", {{"mode", "passthrough"}}}};
    count_ += hosts.count;
    ++lines_;
    // Hosts without NICs cannot train together.
    const std::size_t train = hosts.nic_count > 0 ? hosts.count : 1;
    if (train <= most_) return;
    most_ = train;
    job_ = hosts.nic_count > 0 || hosts.count == 1
               ? "vm-" + hosts.names
               : "vm-" + input::expand_names(hosts.names)->front();
  }

  tl::expected<PlannedJson, input::Diagnostics> finish() && {
    if (errors_.has_errors()) return tl::unexpected(std::move(errors_));
    if (count_ > 1) json_["fabric"] = {{"kind", "single-switch"}};
    if (lines_ > 1 || most_ < count_) json_["job"]["vms"] = {job_};
    return std::move(json_);
  }

 private:
  void error(const TableCell& cell, std::string message, std::string expected,
             std::vector<std::string> near = {}) {
    errors_.error(topology::import_codes::kBadValue.code, cell.at, "", std::move(message),
                  std::move(expected), std::move(near));
  }

  /// The name in the catalogue; nothing, with an error, if there is none.
  template <class Table>
  std::optional<std::string> part(const Table& table, const char* kind, const char* column,
                                  const TableCell& cell, const std::string& usual) {
    auto name = topology::matching_part(catalog_, kind, cell.text, usual);
    if (name && table.contains(*name)) return name;
    error(cell,
          fmt::format("{} is \"{}\", which the catalogue does not have, or has several of", column,
                      cell.text),
          fmt::format("one that vgsim catalog {} lists", kind),
          input::suggest(cell.text, topology::names_of(table)));
    return std::nullopt;
  }

  void put_gpus(const PlannedHosts& hosts, const topology::ServerModel& server, PlannedJson& host) {
    if (hosts.gpu_count == 0) return;
    const TableCell written =
        hosts.gpu.text.empty() ? TableCell{server.default_gpu, hosts.gpu.at} : hosts.gpu;
    const auto gpu = part(catalog_.gpus, "gpus", "gpus", written, server.default_gpu);
    if (hosts.gpu_count > server.gpu_slots.size()) {
      error(hosts.gpu, fmt::format("{} GPUs for {}", hosts.gpu_count, server.name),
            fmt::format("at most {}", server.gpu_slots.size()));
    }
    const auto why = gpu ? incompatibility(catalog_.gpus.at(*gpu), server) : std::nullopt;
    if (why) {
      error(hosts.gpu, fmt::format("{} does not go into {}: {}", *gpu, server.name, *why),
            input::one_of(*gpu, compatible_gpus(catalog_, server, *gpu), "vgsim catalog gpus"));
    }
    if (gpu) host["gpus"] = fmt::format("{} x {}", hosts.gpu_count, *gpu);
  }

  void put_nics(const PlannedHosts& hosts, PlannedJson& host) {
    if (hosts.nic_count == 0) return;
    if (hosts.nic.text.empty()) {
      return error(hosts.nic, "nics is a count alone", "a count and a NIC: 4 x connectx-7-400g");
    }
    const auto nic = part(catalog_.nics, "nics", "nics", hosts.nic, {});
    if (!nic) return;
    const std::string names = hosts.nic_count == 1
                                  ? std::string("vmnic0")
                                  : fmt::format("vmnic[0-{}]", hosts.nic_count - 1);
    PlannedJson entry = {{"nic", *nic}};
    // A NIC for each GPU is next to it, as in servers for training.
    if (hosts.nic_count == hosts.gpu_count && hosts.nic_count > 1) {
      entry["near"] = fmt::format("gpu[0-{}]", hosts.gpu_count - 1);
    }
    host["nics"] = {{names, std::move(entry)}};
  }

  void put_version(const TableCell& version) {
    if (version.text.empty()) return;
    const auto words = vsphere::Versions::words();
    if (std::ranges::find(words, version.text) == words.end()) {
      error(version, fmt::format("vsphere is \"{}\"", version.text),
            fmt::format("one of: {}", fmt::join(words, ", ")), input::suggest(version.text, words));
    } else if (!json_.contains("vsphere")) {
      json_["vsphere"] = version.text;
    } else if (json_["vsphere"] != version.text) {
      error(version,
            fmt::format("vsphere is \"{}\", and was \"{}\" before", version.text,
                        json_["vsphere"].get<std::string>()),
            "one version for all: a scenario has one");
    }
  }

  const topology::Catalog& catalog_;
  PlannedJson json_;
  input::Diagnostics errors_;
  std::size_t count_ = 0;
  std::size_t lines_ = 0;
  std::size_t most_ = 0;  ///< hosts that can train together
  std::string job_;       ///< their VMs
};

}  // namespace

tl::expected<nlohmann::ordered_json, input::Diagnostics> planned_scenario(
    const std::vector<PlannedHosts>& planned, const topology::Catalog& catalog) {
  Planned result(catalog);
  for (const PlannedHosts& hosts : planned) result.add(hosts);
  return std::move(result).finish();
}

}  // namespace vgsim::cli
