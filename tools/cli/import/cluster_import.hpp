#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "models/scenario/read/library.hpp"
#include "models/vsphere/import/cluster_scenario.hpp"
#include "tools/cli/commands/import_command.hpp"
#include "tools/cli/import/import_notes.hpp"
#include "tools/cli/import/read_files.hpp"

namespace vgsim::cli {

/// A file that an import writes; without a path it goes to stdout.
struct ImportedText {
  std::optional<std::string> path;
  std::string text;
};

/// All output of an import of hosts and VMs, determined before the first byte is written. Equal
/// hosts share a topology file.
class ClusterImport {
 public:
  ClusterImport(const ImportOptions& options, Inventories inventories,
                nlohmann::ordered_json planned);

  /// Whether the files describe a host or a VM; logs of benchmarks do not.
  [[nodiscard]] bool has_machines() const;
  /// Determines the output; requires machines. Returns why nothing can be written.
  [[nodiscard]] std::optional<std::string> make();

  [[nodiscard]] std::vector<ImportedText> files() const;
  /// What was read, found, assumed, and is missing.
  [[nodiscard]] ImportNotes notes() const;
  [[nodiscard]] const input::Diagnostics& warnings() const { return all_.warnings; }

 private:
  using Inventory = topology::inventory::Inventory;

  /// Settings that no scenario may have.
  void leave_out_unknown_settings();
  [[nodiscard]] bool into_folder() const;
  /// The catalogue's server for a host if the files contain only its model.
  [[nodiscard]] const topology::ServerModel* known_server_of(const Inventory& host) const;
  /// Lists of VMs do not contain their GPUs, and a VM without GPUs in a scenario gets all of
  /// its host.
  void leave_out_vms_of_unknown_gpus();
  /// The path of the scenario; nothing if none is written.
  [[nodiscard]] std::optional<std::string> scenario_file() const;
  /// Topology files: the named one, or several in a folder, by default next to the scenario.
  void choose_files();
  /// Why an existing file must not be overwritten, or the scenario cannot refer to a topology
  /// file.
  [[nodiscard]] std::optional<std::string> problem_of_files() const;
  /// The path of a file relative to the folder of another one.
  static std::string relative_path(const std::string& file, const std::string& other);
  void note_open_points(ImportNotes& notes) const;
  /// Whether a table has several hosts, all without NICs.
  [[nodiscard]] bool lack_nics() const;
  /// " and 3 more that are alike".
  [[nodiscard]] std::string and_alike(std::size_t first) const;
  void note_files(ImportNotes& notes) const;
  void note_hosts(ImportNotes& notes) const;

  const ImportOptions& options_;
  Inventories all_;
  nlohmann::ordered_json planned_;
  tl::expected<scenario::Library, input::Diagnostics> library_;
  vsphere::import::VmFragment fragment_;
  vsphere::import::ClusterScenario scenario_;
  std::vector<std::size_t> alike_;  ///< index of the first host that is equal to each
  std::vector<std::string> names_;  ///< of hosts
  std::vector<std::string> files_;  ///< of hosts
  std::vector<vsphere::import::HostSource> sources_;  ///< of hosts, as the scenario names them
};

/// The part of a scenario that host tables describe, or null; errors: see planned_scenario().
[[nodiscard]] tl::expected<nlohmann::ordered_json, input::Diagnostics> planned_part(
    const Inventories& inventories);

}  // namespace vgsim::cli
