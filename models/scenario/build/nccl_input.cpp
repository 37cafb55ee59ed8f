#include "models/scenario/build/nccl_input.hpp"

#include <fmt/core.h>

#include <utility>

#include "models/collectives/nccl/read/releases.hpp"
#include "models/collectives/nccl/tuning/decided_communicator.hpp"
#include "models/scenario/build/cluster.hpp"
#include "models/scenario/read/library.hpp"
#include "topology/importers/nccl/nccl_graph_xml.hpp"

namespace vgsim::scenario {
namespace {

namespace nccl = collectives::nccl;

void read_filter(const std::string& name, const input::At<std::string>& value,
                 nccl::AlgorithmFilter& filter, input::Diagnostics& diagnostics) {
  const auto read = name == "NCCL_ALGO" ? nccl::read_algorithms(*value, filter)
                                        : nccl::read_protocols(*value, filter);
  if (read) return;
  diagnostics.error("E440", value.origin.location, input::to_pointer(value.origin.path),
                    "\"" + *value + "\" is not a value of " + name, read.error());
}

}  // namespace

namespace {

/// The nearest known release for one older or newer than all known ones.
std::string nearest_release(const std::string& version, const nccl::Releases& releases,
                            std::vector<std::string>& assumptions) {
  const auto asked = nccl::parse_version(version);
  if (!asked) return version;
  std::string taken = version;
  if (*asked < releases.front().constants.version) taken = "oldest";
  const nccl::Version& newest = releases.back().constants.version;
  if (asked->major > newest.major ||
      (asked->major == newest.major && asked->minor > newest.minor)) {
    taken = "newest";
  }
  if (taken == version) return version;
  const nccl::Version& known = taken == "oldest" ? releases.front().constants.version : newest;
  assumptions.push_back(fmt::format("NCCL {} is unknown: modelled as {}, the {} known release",
                                    version, nccl::to_string(known), taken));
  return nccl::to_string(known);
}

/// Disables the NCCL protocols and algorithms that the plug-in of a NIC does not use; the first NIC
/// with such a plug-in counts.
void limit_to_plugin(Job& job, const Cluster& cluster, const nccl::Version& version,
                     nccl::AlgorithmFilter& filter) {
  for (const JobMachine& taken : job.machines) {
    const Machine& machine = cluster.machines[taken.machine];
    const topology::Host& host = cluster.topology.hosts[cluster.hosts[machine.host].kind];
    for (const vsphere::VmNic& nic : cluster.kinds[machine.kind].nics) {
      const topology::HostNic& of_host = host.nics[nic.host_nic];
      if (of_host.nccl_protocols.empty() && of_host.nccl_algorithms.empty()) continue;
      const auto since = nccl::parse_version(of_host.plugin_since);
      if (since && version < *since) return;
      std::string set;
      const auto& variables = job.nccl.variables;
      if (!of_host.nccl_protocols.empty() && !variables.contains("NCCL_PROTO")) {
        static_cast<void>(nccl::read_protocols(of_host.nccl_protocols, filter));
        set = fmt::format("NCCL_PROTO={}", of_host.nccl_protocols);
      }
      if (!of_host.nccl_algorithms.empty() && !variables.contains("NCCL_ALGO")) {
        static_cast<void>(nccl::read_algorithms(of_host.nccl_algorithms, filter));
        set += fmt::format("{}NCCL_ALGO={}", set.empty() ? "" : " and ", of_host.nccl_algorithms);
      }
      if (!set.empty()) {
        job.assumptions.push_back(
            fmt::format("{}, set by the NCCL plug-in of {}", set, of_host.name));
      }
      return;
    }
  }
}

/// Reads the graphs of a file.
std::vector<topology::inventory::ChosenGraph> read_graph_file(const std::string& path,
                                                              const input::FileLoader& load,
                                                              input::Diagnostics& diagnostics) {
  const auto file = load(path);
  if (!file) {
    diagnostics.append(file.error());
    return {};
  }
  auto graphs = topology::read_chosen_graphs(*file);
  if (!graphs) {
    diagnostics.append(graphs.error());
    return {};
  }
  return std::move(*graphs);
}

}  // namespace

std::optional<collectives::NcclInput> read_nccl_input(Job& job, const Cluster& cluster,
                                                      const Library& library,
                                                      const input::FileLoader& load,
                                                      input::Diagnostics& diagnostics) {
  collectives::NcclInput result;
  const std::string version = job.nccl.version ? **job.nccl.version : "newest";
  const auto constants =
      nccl::constants_of(library.nccl, nearest_release(version, library.nccl, job.assumptions));
  input::Diagnostics found;
  if (constants) {
    result.constants = *constants;
  } else {
    found.error("E441", job.nccl.version->origin.location,
                input::to_pointer(job.nccl.version->origin.path), constants.error());
  }
  if (job.collective) result.nvls_sums = job.collective->nvls_sums;
  std::map<std::string, std::string> variables;
  for (const auto& [name, value] : job.nccl.variables) {
    if (nccl::is_without_effect(name)) {
      job.assumptions.push_back(fmt::format("{} has no effect in this model", name));
    } else if (name == "NCCL_ALGO" || name == "NCCL_PROTO") {
      read_filter(name, value, result.filter, found);
    } else {
      variables.emplace(name, *value);
    }
  }
  limit_to_plugin(job, cluster, result.constants.version, result.filter);
  const auto settings = nccl::parse_settings(variables);
  if (settings) {
    result.settings = *settings;
    if (settings->graph_file) {
      result.settings.graphs =
          read_graph_file(*job.nccl.variables.at("NCCL_GRAPH_FILE"), load, found);
    }
    result.constants = nccl::with_settings(std::move(result.constants), *settings);
  } else {
    for (const nccl::SettingError& error : settings.error()) {
      const input::Origin& at = job.nccl.variables.at(error.name).origin;
      found.error("E440", at.location, input::to_pointer(at.path), error.message, error.expected,
                  error.suggestions);
    }
  }
  const bool is_good = !found.has_errors();
  diagnostics.append(found);
  if (!is_good) return std::nullopt;
  return result;
}

}  // namespace vgsim::scenario
