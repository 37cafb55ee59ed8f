#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "topology/catalog/parts.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/name_table.hpp"
#include "topology/input/value.hpp"

namespace vgsim::topology {

/// The parts that scenarios name. Immutable after reading.
class Catalog {
 public:
  /// Reads catalogue files, one per kind, in any order. Errors: values that do not match their
  /// shape, a source key that is not in the table of the file, a reference to an unknown part, a
  /// kind that is missing or given twice. If all files are marked as checked (input::SourceFile),
  /// each part is read on first use.
  [[nodiscard]] static tl::expected<Catalog, input::Diagnostics> read(
      const std::vector<input::SourcePtr>& files);

  input::NameTable<GpuModel> gpus;
  input::NameTable<NicModel> nics;
  input::NameTable<CpuModel> cpus;
  input::NameTable<NetworkSwitchModel> switches;
  std::map<std::int64_t, PcieGeneration> pcie;  ///< by generation
  std::map<std::string, NvLinkGeneration> nvlinks;
  std::map<std::string, NvSwitchModel> nvswitches;
  input::NameTable<BoardModel> boards;
  input::NameTable<ServerModel> servers;
  input::NameTable<Dataset> datasets;
  /// The names of all entries, by kind.
  std::map<std::string, std::set<std::string, std::less<>>> names;
  /// The files by kind, unchanged; `vgsim catalog` shows them.
  input::NameTable<input::Value> documents;

  /// The generation itself or the nearest available one, the later of two. Throws std::out_of_range
  /// if there is none.
  [[nodiscard]] std::int64_t nearest_pcie_generation(std::int64_t generation) const;
  /// The GPU or NIC with that PCI "vendor:device", lower case; nullptr if there is none.
  [[nodiscard]] const GpuModel* gpu_by_pci_id(std::string_view id) const;
  [[nodiscard]] const NicModel* nic_by_pci_id(std::string_view id) const;
  /// The GPU with that driver name, with or without a leading "NVIDIA" or "Tesla"; nullptr if there
  /// is none.
  [[nodiscard]] const GpuModel* gpu_by_driver_name(std::string_view name) const;
  /// The CPU with that family and model number, as printed in dumps; nullptr if there is none.
  [[nodiscard]] const CpuModel* cpu_by_cpuid(std::int64_t family, std::int64_t model) const;
};

/// The names of a table, for suggestions.
template <class Table>
[[nodiscard]] std::vector<std::string> names_of(const Table& table) {
  std::vector<std::string> names;
  for (const auto& [name, part] : table) names.push_back(name);
  return names;
}

/// Description of a source for results: its title and the kind of evidence.
[[nodiscard]] std::string describe_source(const input::Value& sources, const std::string& key);

/// The kind of evidence at the end of such a description: "datasheet"; empty if there is none.
[[nodiscard]] std::string evidence_in(const std::string& described);

}  // namespace vgsim::topology
