#include "topology/importers/lspci/lspci_verbose.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include "topology/importers/file_notes.hpp"
#include "topology/importers/lspci/lspci_buses.hpp"
#include "topology/importers/lspci/lspci_record.hpp"
#include "topology/importers/pcie_ports.hpp"
#include "topology/machine/import_codes.hpp"

namespace vgsim::topology {
namespace {

using inventory::NumaNode;

constexpr std::size_t kMostVerboseBytes = std::size_t{16} << 20;
constexpr std::size_t kMostNodes = 1024;
constexpr int kFirstLines = 20;

/// NUMA nodes by their ids, in the order of first mention.
class NumaNodesOfRecords {
 public:
  explicit NumaNodesOfRecords(Inventory& host) : host_(host) {}

  NumaNode& at(const Maybe<std::int64_t>& id) {
    const std::int64_t key = id ? id->value : -1;
    const auto [known, is_new] = index_.emplace(key, host_.numa_nodes.size());
    if (is_new) host_.numa_nodes.emplace_back().id = id;
    return host_.numa_nodes[known->second];
  }

 private:
  Inventory& host_;
  std::map<std::int64_t, std::size_t> index_;
};

void note_what_is_missing(const std::vector<LspciRecord>& records, FileNotes& notes) {
  const auto any = [&](auto&& test) { return std::ranges::any_of(records, test); };
  if (any([](const LspciRecord& r) { return r.link_hidden; })) {
    notes.skip("PCIe links, ACS and SR-IOV: lspci shows them only to root; run sudo lspci -vvv");
  } else if (!any([](const LspciRecord& r) { return r.device.link.has_value(); })) {
    notes.skip("PCIe links: this call of lspci does not print them; run sudo lspci -vvv");
  }
  if (any([](const LspciRecord& r) { return r.has_iommu_group; })) {
    notes.skip("IOMMU groups, which are not used");
  }
}

/// Whether the file does not show which function is below which bridge.
bool lacks_tree(const std::vector<LspciRecord>& records) {
  const auto any = [&](auto&& test) { return std::ranges::any_of(records, test); };
  if (any([](const LspciRecord& r) { return r.behind.has_value(); })) return false;
  return any([](const LspciRecord& r) { return r.is_bridge; }) ||
         !any([](const LspciRecord& r) { return r.has_details; });
}

/// The NUMA node of each function by its bus id: its own, else that of the bridge above it.
using NumaByBusId = std::map<std::string, Maybe<std::int64_t>>;

void collect_numa(const std::vector<PciFunction>& bus, const Maybe<std::int64_t>& above,
                  NumaNodesOfRecords& nodes, NumaByBusId& numa) {
  for (const PciFunction& function : bus) {
    const auto& own = function.device.numa_node;
    const Maybe<std::int64_t>& node = own ? own : above;
    if (node) (void)nodes.at(node);
    numa[function.device.bus_id] = node;
    collect_numa(function.below, node, nodes, numa);
  }
}

void place(std::vector<RootBus> roots, Inventory& host, FileNotes& notes) {
  NumaNodesOfRecords nodes(host);
  NumaByBusId numa;
  for (const RootBus& root : roots) collect_numa(root.functions, std::nullopt, nodes, numa);
  PcieTree tree(notes);
  for (RootBus& root : roots) {
    std::vector<Device> devices;
    tree.add(std::move(root.functions), notes.stated(root.root_complex), devices);
    for (Device& device : devices) {
      const Maybe<std::int64_t> node = numa[device.bus_id];
      nodes.at(node).devices.push_back(std::move(device));
    }
  }
  tree.finish();
}

void list_unplaced(std::vector<LspciRecord> records, Inventory& host, FileNotes& notes) {
  notes.skip("the PCI tree: lspci prints the buses behind a bridge only with -v");
  std::map<std::pair<std::int64_t, std::int64_t>, std::vector<PciFunction>> buses;
  for (LspciRecord& record : records) {
    PciFunction function;
    function.is_virtual = record.is_virtual;
    function.device = std::move(record.device);
    buses[{record.domain, record.bus}].push_back(std::move(function));
  }
  PcieTree tree(notes);
  for (auto& [bus, functions] : buses) {
    fold_virtual_functions(functions, notes);
    tree.add(std::move(functions), std::nullopt, host.unplaced);
  }
  tree.finish();
}

bool is_empty(const Inventory& host) {
  return host.unplaced.empty() && std::ranges::all_of(host.numa_nodes, [](const NumaNode& node) {
           return node.devices.empty();
         });
}

}  // namespace

bool is_lspci_verbose(std::string_view text) {
  for (int line = 0; line < kFirstLines && !text.empty(); ++line) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (begins_lspci_record(text.substr(0, end))) return true;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return false;
}

/// Reads the records, then either the tree from the bus ranges of bridges or, without bridges (a
/// guest, lspci -s), devices without a place. NUMA nodes are those of the functions; a root bus
/// belongs to the node of its functions.
tl::expected<Inventory, input::Diagnostics> read_lspci_verbose(const input::SourcePtr& source) {
  if (source->text.size() > kMostVerboseBytes) {
    return file_error(import_codes::kTooMuch, source,
                      fmt::format("the file has {} bytes", source->text.size()), "at most 16 MiB");
  }
  FileNotes notes(source);
  input::Diagnostics errors;
  std::vector<LspciRecord> records = read_lspci_records(source, notes, errors);
  if (records.empty()) {
    return file_error(import_codes::kNotThisFormat, source,
                      "no line of the text is a PCI function as lspci lists it",
                      "\"3b:00.0 3D controller: NVIDIA Corporation ...\"");
  }
  note_what_is_missing(records, notes);
  Inventory host;
  if (lacks_tree(records)) {
    list_unplaced(std::move(records), host, notes);
  } else {
    place(root_buses_of(std::move(records), notes, errors), host, notes);
  }
  if (host.numa_nodes.size() > kMostNodes) {
    errors.append(file_error(import_codes::kTooMuch, source,
                             fmt::format("{} NUMA nodes", host.numa_nodes.size()), "at most 1024")
                      .value());
  }
  if (errors.has_errors()) return tl::make_unexpected(std::move(errors));
  if (is_empty(host)) {
    return file_error(import_codes::kNothingInIt, source,
                      "lspci lists no GPU, NIC, NVSwitch or NVMe drive",
                      "the output of sudo lspci -vvv, complete");
  }
  notes.tell(host);
  return host;
}

}  // namespace vgsim::topology
