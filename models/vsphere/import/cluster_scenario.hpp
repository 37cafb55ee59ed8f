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

/// The description of a host in a scenario: a topology file, or a server of the catalogue where the
/// files contain only the server's model name.
struct HostSource {
  std::string name;
  bool is_server = false;
};

struct ClusterScenario {
  nlohmann::ordered_json json;
  std::vector<FoldedVms> vms;
  std::vector<std::string> assumed;  ///< sentences: versions, the job
  std::vector<std::string> next;     ///< sentences: missing inputs of a run
};

/// A scenario of hosts with their VMs, which runs unchanged if the files are complete: its job is
/// BERT-Large with 8 samples a GPU, in the most numerous equal VMs. `sources`: of the hosts, by
/// index; hosts of one source become one entry. `planned`: parts of a scenario from a table, or
/// null. Without hosts the result is a fragment with VMs only.
[[nodiscard]] ClusterScenario cluster_scenario(const std::vector<Inventory>& hosts,
                                               const VmFragment& fragment,
                                               const std::vector<HostSource>& sources,
                                               const nlohmann::ordered_json& planned = nullptr);

}  // namespace vgsim::vsphere::import
