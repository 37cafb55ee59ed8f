#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "models/vsphere/import/vm_scenario.hpp"

namespace vgsim::vsphere::import {

/// VMs that differ in name and host alone.
struct FoldedVms {
  std::string names;  ///< "train[001-400]"
  std::size_t count = 0;
  nlohmann::ordered_json vm;  ///< its "host" is a range where `names` is one, or one for all
};

/// Folds the VMs of a fragment: those that are equal and whose names and hosts are numbered alike
/// become one entry.
[[nodiscard]] std::vector<FoldedVms> fold_vms(const nlohmann::ordered_json& vms);

/// What describes a host in a scenario: a topology file, or a server of the catalogue where the
/// files tell only what it is called.
struct HostSource {
  std::string name;
  bool is_server = false;
};

struct ClusterScenario {
  nlohmann::ordered_json json;
  std::vector<FoldedVms> vms;
  std::vector<std::string> assumed;  ///< sentences: versions, the job
  std::vector<std::string> next;     ///< sentences: what keeps it from running
};

/// A scenario of hosts with their VMs that runs as it is, where the files tell enough: its job is
/// BERT-Large with 8 samples a GPU, in the most numerous VMs that are equal. `sources` are those of
/// the hosts, by their place; hosts of one source become one entry. `planned` is what a table adds:
/// parts of a scenario, or null. Without any host it is a fragment with VMs alone.
[[nodiscard]] ClusterScenario cluster_scenario(const std::vector<Inventory>& hosts,
                                               const VmFragment& fragment,
                                               const std::vector<HostSource>& sources,
                                               const nlohmann::ordered_json& planned = nullptr);

}  // namespace vgsim::vsphere::import
