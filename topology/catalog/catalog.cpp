#include "topology/catalog/catalog.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>

#include "topology/catalog/add_parts.hpp"
#include "topology/catalog/catalog_shapes.hpp"
#include "topology/catalog/part_fit.hpp"
#include "topology/input/entries.hpp"
#include "topology/input/json_reader.hpp"
#include "topology/input/shapes/shape.hpp"
#include "topology/input/suggest.hpp"
#include "topology/input/typed.hpp"

namespace vgsim::topology {
namespace {

using input::Diagnostics;
using input::find;
using input::Value;

/// Checks that every "source" below `value` is a key of the table of sources of the file.
void check_sources(const Value& value, const Value& sources, Diagnostics& diagnostics) {
  if (value.is_array()) {
    for (const Value& element : value.elements()) check_sources(element, sources, diagnostics);
    return;
  }
  if (!value.is_object()) return;
  for (const auto& [name, key, member] : value.members()) {
    if (name != "source" || !member.is_string()) {
      check_sources(member, sources, diagnostics);
    } else if (sources.member(member.string()) == nullptr) {
      std::vector<std::string> known;
      for (const auto& entry : sources.members()) known.push_back(entry.name);
      diagnostics.error("E401", member.location(), member.pointer(),
                        fmt::format("unknown source \"{}\"", member.string()),
                        "a key of \"sources\" in the same file",
                        input::suggest(member.string(), known));
    }
  }
}

void read_file(Catalog& catalog, const input::SourcePtr& file, Diagnostics& diagnostics) {
  const auto document = input::read_json(file);
  if (!document) return diagnostics.append(document.error());
  const auto kind_value = find(*document, "kind");
  const std::string kind = kind_value && kind_value->is_string() ? kind_value->string() : "";
  const auto& kinds = catalog_kinds();
  if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) {
    return input::check(*document, catalog_shape(), diagnostics);
  }
  Diagnostics found;
  input::check(*document, catalog_file_shape(kind), found);
  if (!found.has_errors()) {
    check_sources(*find(*document, "entries"), *find(*document, "sources"), found);
  }
  diagnostics.append(found);
  if (found.has_errors()) return;
  if (catalog.documents.contains(kind)) {
    return diagnostics.error("E402", document->location(), "",
                             fmt::format("second file of kind \"{}\"", kind));
  }
  catalog.documents[kind] = *document;
  add_parts(catalog, kind, input::read_entries(*document, "entries"));
}

/// Locates the entries of checked files; they are read on first use.
void read_checked_files(Catalog& catalog, const std::vector<input::SourcePtr>& files) {
  std::map<std::string, input::SourcePtr> by_kind;
  input::NameTable<Value>::Names kinds;
  for (const input::SourcePtr& file : files) {
    input::MemberTexts members = input::member_texts(file->text, 2);
    const std::string kind = input::read_text(members.at("kind").value).string();
    add_parts(catalog, kind, input::unread_entries(file, std::move(members), "entries"));
    by_kind.emplace(kind, file);
    kinds.insert(kind);
  }
  catalog.documents.make_later(std::move(kinds), [by_kind](const std::string& kind) {
    return *input::read_json(by_kind.at(kind));
  });
}

template <class Table>
void check_reference(const std::string& name, const Table& table, const std::string& who,
                     Diagnostics& diagnostics) {
  if (name.empty() || table.contains(name)) return;
  diagnostics.error("E403", {}, "", fmt::format("{} names an unknown part \"{}\"", who, name), "",
                    input::suggest(name, names_of(table)));
}

void check_numa_nodes(const std::string& id, const ServerModel& server, const CpuModel& cpu,
                      Diagnostics& diagnostics) {
  const std::int64_t nodes = server.numa_nodes_per_socket;
  const auto& offered = cpu.numa_nodes_per_socket;
  if (std::find(offered.begin(), offered.end(), nodes) == offered.end()) {
    diagnostics.error(
        "E403", {}, "",
        fmt::format("server {} has {} NUMA nodes per socket, which {} does not support", id, nodes,
                    cpu.id));
  }
  for (const auto& [name, complex] : server.root_complexes) {
    if (complex.socket >= server.sockets || complex.numa_node >= nodes) {
      diagnostics.error("E403", {}, "",
                        fmt::format("server {} has no NUMA node {} in socket {} for {}", id,
                                    complex.numa_node, complex.socket, name));
    } else if (complex.quadrant && complex.numa_node != *complex.quadrant * nodes / 4) {
      diagnostics.error("E403", {}, "",
                        fmt::format("server {} has {} in NUMA node {} and in quadrant {}", id, name,
                                    complex.numa_node, *complex.quadrant));
    }
  }
}

void check_generation(std::int64_t generation, const std::string& who, const Catalog& catalog,
                      Diagnostics& diagnostics) {
  if (catalog.pcie.contains(generation)) return;
  diagnostics.error("E403", {}, "",
                    fmt::format("{} has PCIe Gen{}, which the catalogue lacks", who, generation));
}

/// Checks that the constraints of a server can be met by parts; otherwise it would refuse all of
/// them.
void check_fit(const std::string& id, const ServerModel& server, const Catalog& catalog,
               Diagnostics& diagnostics) {
  std::set<std::string> of_gpus;
  std::set<std::string> of_nics;
  for (const auto& [name, gpu] : catalog.gpus) of_gpus.insert(gpu.form_factor);
  for (const auto& [name, nic] : catalog.nics) {
    of_nics.insert(nic.form_factors.begin(), nic.form_factors.end());
  }
  const auto known = [&](const std::string& form, const std::set<std::string>& forms) {
    if (forms.contains(form)) return;
    diagnostics.error(
        "E403", {}, "",
        fmt::format("server {} accepts form factor \"{}\", which no part has", id, form), "",
        input::suggest(form, {forms.begin(), forms.end()}));
  };
  for (const std::string& form : server.gpu_form_factors) known(form, of_gpus);
  for (const auto& [name, slot] : server.nic_slots) {
    if (!slot.form_factor.empty()) known(slot.form_factor, of_nics);
  }
  const auto gpu = catalog.gpus.find(server.default_gpu);
  const auto why = gpu == catalog.gpus.end() ? std::nullopt : incompatibility(gpu->second, server);
  if (why) {
    diagnostics.error(
        "E403", {}, "",
        fmt::format("default GPU {} does not fit into server {}: {}", gpu->first, id, *why));
  }
}

void check_generations(const std::string& id, const ServerModel& server, const Catalog& catalog,
                       Diagnostics& diagnostics) {
  const auto check = [&](const PcieAttachment& part) {
    check_generation(part.generation, "server " + id, catalog, diagnostics);
  };
  for (const auto& [name, uplink] : server.pcie_switches) check(uplink);
  for (const PcieAttachment& slot : server.gpu_slots) check(slot);
  for (const auto& [name, slot] : server.nic_slots) check(slot);
  if (server.nvme) check(*server.nvme);
}

void check_references(const Catalog& catalog, Diagnostics& diagnostics) {
  for (const auto& [id, server] : catalog.servers) {
    check_fit(id, server, catalog, diagnostics);
    check_generations(id, server, catalog, diagnostics);
    check_reference(server.cpu.value, catalog.cpus, "server " + id, diagnostics);
    check_reference(server.default_gpu, catalog.gpus, "server " + id, diagnostics);
    check_reference(server.nvlink.nvswitch, catalog.nvswitches, "server " + id, diagnostics);
    const auto cpu = catalog.cpus.find(server.cpu.value);
    if (cpu != catalog.cpus.end()) check_numa_nodes(id, server, cpu->second, diagnostics);
    for (const PcieAttachment& slot : server.gpu_slots) {
      const bool known =
          server.root_complexes.contains(slot.under) || server.pcie_switches.contains(slot.under);
      if (!known) check_reference(slot.under, server.pcie_switches, "server " + id, diagnostics);
    }
  }
  for (const auto& [id, board] : catalog.boards) {
    for (const std::string& gpu : board.gpus) {
      check_reference(gpu, catalog.gpus, "board " + id, diagnostics);
    }
    check_reference(board.nvlink.nvswitch, catalog.nvswitches, "board " + id, diagnostics);
  }
  for (const auto& [id, gpu] : catalog.gpus) {
    check_reference(gpu.nvlink, catalog.nvlinks, "GPU " + id, diagnostics);
    check_generation(gpu.pcie_generation, "GPU " + id, catalog, diagnostics);
  }
  for (const auto& [id, nic] : catalog.nics) {
    check_generation(nic.pcie_generation, "NIC " + id, catalog, diagnostics);
  }
}

template <class Table>
auto by_pci_id(const Table& table, std::string_view id) -> const typename Table::mapped_type* {
  for (const auto& [name, part] : table) {
    if (std::find(part.pci_ids.begin(), part.pci_ids.end(), id) != part.pci_ids.end()) return &part;
  }
  return nullptr;
}

/// The name without "Tesla" or "NVIDIA", which drivers use inconsistently.
std::string_view without_brand(std::string_view name) {
  for (const std::string_view brand : {"NVIDIA ", "Tesla "}) {
    if (name.starts_with(brand)) name.remove_prefix(brand.size());
  }
  return name;
}

}  // namespace

tl::expected<Catalog, Diagnostics> Catalog::read(const std::vector<input::SourcePtr>& files) {
  Catalog catalog;
  Diagnostics diagnostics;
  const bool checked = std::all_of(files.begin(), files.end(),
                                   [](const input::SourcePtr& file) { return file->checked; });
  if (checked) {
    read_checked_files(catalog, files);
  } else {
    for (const auto& file : files) read_file(catalog, file, diagnostics);
  }
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
  for (const std::string& kind : catalog_kinds()) {
    if (!catalog.documents.contains(kind)) {
      diagnostics.error("E404", {}, "",
                        fmt::format("the catalogue has no file of kind \"{}\"", kind));
    }
  }
  if (!checked || diagnostics.has_errors()) check_references(catalog, diagnostics);
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
  return catalog;
}

std::int64_t Catalog::nearest_pcie_generation(std::int64_t generation) const {
  if (pcie.empty()) throw std::out_of_range("the catalogue has no PCIe generation");
  const auto next = pcie.lower_bound(generation);
  if (next == pcie.begin()) return next->first;
  const std::int64_t before = std::prev(next)->first;
  if (next == pcie.end() || generation - before < next->first - generation) return before;
  return next->first;
}

const GpuModel* Catalog::gpu_by_pci_id(std::string_view id) const { return by_pci_id(gpus, id); }

const NicModel* Catalog::nic_by_pci_id(std::string_view id) const { return by_pci_id(nics, id); }

const GpuModel* Catalog::gpu_by_driver_name(std::string_view name) const {
  for (const auto& [id, gpu] : gpus) {
    const bool named = !gpu.driver_name.empty();
    if (named && without_brand(gpu.driver_name) == without_brand(name)) return &gpu;
  }
  return nullptr;
}

const CpuModel* Catalog::cpu_by_cpuid(std::int64_t family, std::int64_t model) const {
  for (const auto& [name, cpu] : cpus) {
    if (std::find(cpu.cpuids.begin(), cpu.cpuids.end(), std::pair{family, model}) !=
        cpu.cpuids.end()) {
      return &cpu;
    }
  }
  return nullptr;
}

}  // namespace vgsim::topology
