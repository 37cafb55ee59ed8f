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

/// The parts that scenarios name. Constant once it is read.
class Catalog {
 public:
  /// Reads catalogue files, one per kind, in any order. Errors: everything in them that does not
  /// fit its shape, a source key that is not in the file's table, a part that names an unknown
  /// part, a kind that is missing or given twice. Of files that are all checked
  /// (input::SourceFile) a part is read when it is first asked for.
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
  /// The files as they are, by kind: what `vgsim catalog` shows.
  input::NameTable<input::Value> documents;

  /// The generation itself or the nearest one that there is, the later of two. Throws
  /// std::out_of_range if there is none.
  [[nodiscard]] std::int64_t nearest_pcie_generation(std::int64_t generation) const;
  /// The GPU or NIC with that PCI "vendor:device", lower case; nullptr if none has it.
  [[nodiscard]] const GpuModel* gpu_by_pci_id(std::string_view id) const;
  [[nodiscard]] const NicModel* nic_by_pci_id(std::string_view id) const;
  /// The GPU that the driver calls so, with or without the "NVIDIA" or "Tesla" at the start;
  /// nullptr if none is.
  [[nodiscard]] const GpuModel* gpu_by_driver_name(std::string_view name) const;
  /// The CPU with that family and model number, as dumps print them; nullptr if none has it.
  [[nodiscard]] const CpuModel* cpu_by_cpuid(std::int64_t family, std::int64_t model) const;
};

/// The names of a table, for suggestions.
template <class Table>
[[nodiscard]] std::vector<std::string> names_of(const Table& table) {
  std::vector<std::string> names;
  for (const auto& [name, part] : table) names.push_back(name);
  return names;
}

/// In words, for results: the title of a source and what kind of evidence it is.
[[nodiscard]] std::string describe_source(const input::Value& sources, const std::string& key);

/// The kind of evidence that stands at the end of such words: "datasheet"; empty if none does.
[[nodiscard]] std::string evidence_in(const std::string& described);

}  // namespace vgsim::topology
