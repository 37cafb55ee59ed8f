#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "models/vsphere/import/vm_facts.hpp"

namespace vgsim::vsphere::import {

/// Names of imported hosts in a scenario, by their place: theirs, or "host1", "host2", ...
[[nodiscard]] std::vector<std::string> scenario_names(const std::vector<Inventory>& hosts);

/// A name that a scenario takes as it is and that is not taken yet: without characters of ranges,
/// patterns and paths. `otherwise` where it is empty.
[[nodiscard]] std::string unique_scenario_name(const Maybe<std::string>& name,
                                               const std::string& otherwise,
                                               std::set<std::string>& taken);

/// "8.0U3" of "VMware ESXi 8.0.3 build-24022510"; empty if the version is unknown or not of ESXi.
[[nodiscard]] std::string vsphere_version(const Inventory& host);

/// The hosts of a scenario with their devices by bus id. Refers to the hosts.
class ScenarioHosts {
 public:
  explicit ScenarioHosts(const std::vector<Inventory>& hosts);

  struct Found {
    const Device* device = nullptr;
    std::string name;  ///< in the built host: "gpu0"; empty except for GPUs and NICs
  };

  /// The host of a VM: the named one, otherwise the only one with all of its devices.
  [[nodiscard]] std::optional<std::size_t> host_of(const VmFacts& vm) const;

  /// Null if there is none.
  [[nodiscard]] const Found* device(std::size_t host, const std::string& bus_id) const;

  /// The NIC with the fastest port; of equal ones the first. Empty if the host has none.
  [[nodiscard]] std::string fastest_nic(std::size_t host) const;

  /// Takes a GPU of one of these ids ("10de:20b5"; any if none is given) that no call took before;
  /// its name, empty if there is none.
  [[nodiscard]] std::string take_gpu(std::size_t host, const std::vector<std::string>& ids);
  /// So that take_gpu() leaves it.
  void mark_taken(std::size_t host, const std::string& gpu);

  [[nodiscard]] const std::string& name(std::size_t host) const { return names_[host]; }

 private:
  std::vector<std::string> names_;
  std::vector<std::map<std::string, Found>> devices_;
  std::vector<std::set<std::string>> taken_;  ///< GPUs
  std::map<std::string, std::size_t> by_name_;
  std::map<std::string, std::size_t> by_id_;
};

}  // namespace vgsim::vsphere::import
