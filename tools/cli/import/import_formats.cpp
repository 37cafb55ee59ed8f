#include <algorithm>
#include <array>
#include <iterator>

#include "models/calibration/logs/log_facts.hpp"
#include "models/calibration/logs/nccl/nccl_system.hpp"
#include "models/vsphere/import/direct_path/direct_path_devices.hpp"
#include "models/vsphere/import/esxcli/esxcli.hpp"
#include "models/vsphere/import/ovf/ovf.hpp"
#include "models/vsphere/import/rvtools/rvtools.hpp"
#include "models/vsphere/import/table/host_table.hpp"
#include "models/vsphere/import/table/workbook.hpp"
#include "models/vsphere/import/table/xlsx.hpp"
#include "models/vsphere/import/vim/vim.hpp"
#include "models/vsphere/import/vmx/vmx.hpp"
#include "tools/cli/import/imported.hpp"
#include "topology/importers/hwloc/hwloc_xml.hpp"
#include "topology/importers/lspci/lspci_tree.hpp"
#include "topology/importers/lspci/lspci_verbose.hpp"
#include "topology/importers/nccl/nccl_graph_xml.hpp"
#include "topology/importers/nccl/nccl_xml.hpp"
#include "topology/importers/smi/smi_text.hpp"
#include "topology/importers/topology_file/topology_file.hpp"
#include "topology/machine/import_codes.hpp"

namespace vgsim::cli {
namespace {

namespace inventory = topology::inventory;
using input::Diagnostics;
using input::SourcePtr;
using Result = tl::expected<Imported, Diagnostics>;

/// The result of an importer of one host.
template <auto kRead>
Result host_of(const SourcePtr& source) {
  auto host = kRead(source);
  if (!host) return tl::unexpected(std::move(host.error()));
  Imported imported;
  imported.hosts.push_back(std::move(*host));
  return imported;
}

/// Name of the root element of an XML text, after declaration, DOCTYPE and comments; empty for
/// other texts.
std::string_view root_element(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  while (true) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    if (!text.starts_with('<')) return {};
    const bool is_comment = text.starts_with("<!--");
    if (!is_comment && !text.starts_with("<?") && !text.starts_with("<!")) break;
    const std::string_view end = is_comment ? "-->" : ">";
    const std::size_t at = text.find(end);
    if (at == text.npos) return {};
    text.remove_prefix(at + end.size());
  }
  text.remove_prefix(1);
  return text.substr(0, std::min(text.find_first_of(" \t\r\n/>"), text.size()));
}

bool is_nccl_xml(std::string_view text) { return root_element(text) == "system"; }
bool is_nccl_graph_xml(std::string_view text) { return root_element(text) == "graphs"; }
bool is_hwloc(std::string_view text) {
  return topology::is_hwloc_xml(text) || topology::is_lstopo_text(text);
}

Result read_nccl(const SourcePtr& source) {
  const auto system = topology::read_nccl_xml(source, topology::NcclGpus::kAny);
  if (!system) return tl::unexpected(system.error());
  Imported imported;
  imported.hosts = topology::hosts_of(*system);
  return imported;
}

Result read_nccl_graphs(const SourcePtr& source) {
  auto graphs = topology::parse_nccl_graph_xml(source);
  if (!graphs) return tl::unexpected(graphs.error());
  Imported imported;
  imported.hosts.emplace_back().graphs = std::move(*graphs);
  return imported;
}

/// The result of an importer of vSphere's files.
template <auto kRead>
Result vsphere_of(const SourcePtr& source) {
  auto facts = kRead(source);
  if (!facts) return tl::unexpected(std::move(facts.error()));
  return Imported{std::move(facts->hosts),
                  std::move(facts->vms),
                  std::move(facts->planned),
                  {},
                  std::move(facts->assumed),
                  std::move(facts->skipped),
                  {},
                  std::move(facts->warnings)};
}

Result read_hosts(const SourcePtr& source) {
  auto table = vsphere::import::read_host_table(source);
  if (!table) return tl::unexpected(std::move(table.error()));
  Imported imported;
  imported.planned = std::move(table->hosts);
  imported.assumed = std::move(table->assumed);
  imported.skipped = std::move(table->skipped);
  imported.warnings = std::move(table->warnings);
  return imported;
}

bool is_log(std::string_view text) {
  return calibration::is_benchmark_log(text) || calibration::has_nccl_system(text);
}

/// The measurements and messages of a log, and the hosts whose system trees NCCL draws in it.
Result read_log(const SourcePtr& source) {
  Imported imported;
  const bool has_hosts = calibration::has_nccl_system(source->text);
  if (has_hosts) {
    auto hosts = calibration::read_nccl_systems(source);
    if (!hosts) return tl::unexpected(std::move(hosts.error()));
    imported.hosts = std::move(*hosts);
  }
  auto facts = calibration::describe_log(source);
  if (has_hosts && (!facts || !*facts)) return imported;
  if (!facts) {
    Diagnostics diagnostics;
    diagnostics.error(topology::import_codes::kNotThisFormat.code, {source, 0, 1}, "",
                      "the text is not the output of a supported benchmark");
    return tl::unexpected(diagnostics);
  }
  if (!*facts) return tl::unexpected(std::move(facts->error()));
  imported.found = std::move((*facts)->found);
  imported.skipped = std::move((*facts)->skipped);
  imported.next = std::move((*facts)->next);
  imported.warnings = std::move((*facts)->warnings);
  return imported;
}

namespace vm = vsphere::import;

constexpr std::array kFormats = {
    ImportFormat{"vgsim", "topology file of vgsim (vgsim.topology/1)", &inventory::is_topology_text,
                 &host_of<&inventory::read_topology_file>},
    ImportFormat{"nccl-graph", "rings and trees that NCCL chose (NCCL_GRAPH_DUMP_FILE)",
                 &is_nccl_graph_xml, &read_nccl_graphs},
    ImportFormat{"hwloc", "hwloc's or lstopo's XML, versions 1 and 2", &is_hwloc,
                 &host_of<&topology::read_hwloc_xml>},
    ImportFormat{"nccl-xml", "NCCL's or RCCL's topology (NCCL_TOPO_DUMP_FILE)", &is_nccl_xml,
                 &read_nccl},
    ImportFormat{"direct-path", "vCenter 9.1's GET .../hardware/direct-path-devices",
                 &vm::is_direct_path_devices, &vsphere_of<&vm::read_direct_path_devices>},
    ImportFormat{"vim", "vSphere API objects: govc -json, govc object.save, ConfigTarget",
                 &vm::is_vim, &vsphere_of<&vm::read_vim>},
    ImportFormat{"ovf", "OVF envelope of a VM", &vm::is_ovf, &vsphere_of<&vm::read_ovf>},
    ImportFormat{"vmx", "configuration of a VM (.vmx)", &vm::is_vmx, &vsphere_of<&vm::read_vmx>},
    ImportFormat{"xlsx", "workbook (.xlsx): RVTools' export, or a table of hosts", &vm::is_xlsx,
                 &vsphere_of<&vm::read_workbook>},
    ImportFormat{"rvtools", "RVTools' tabs vHost, vInfo and vNetwork as CSV", &vm::is_rvtools,
                 &vsphere_of<&vm::read_rvtools>},
    ImportFormat{"hosts", "CSV of one's own with columns host, server, gpus, nics, ...",
                 &vm::is_host_table, &read_hosts},
    ImportFormat{"esxcli", "esxcli hardware, graphics, network, and lspci of ESXi", &vm::is_esxcli,
                 &vsphere_of<&vm::read_esxcli>},
    ImportFormat{"log", "nccl-tests, NCCL's messages and system tree, nvbandwidth, ...", &is_log,
                 &read_log},
    ImportFormat{"lspci-vvv", "lspci -v, -vv or -vvv", &topology::is_lspci_verbose,
                 &host_of<&topology::read_lspci_verbose>},
    ImportFormat{"lspci-tree", "lspci -tv", &topology::is_lspci_tree,
                 &host_of<&topology::read_lspci_tree>},
    ImportFormat{"nvidia-smi", "nvidia-smi topo -m, nvlink -s and -R, -q, -q -x, -L, vgpu -q",
                 &topology::is_smi_text, &host_of<&topology::read_smi_text>},
};

}  // namespace

std::span<const ImportFormat> import_formats() { return kFormats; }

const ImportFormat* format_of(std::string_view text) {
  const auto found = std::find_if(kFormats.begin(), kFormats.end(),
                                  [&](const ImportFormat& format) { return format.fits(text); });
  return found == kFormats.end() ? nullptr : &*found;
}

}  // namespace vgsim::cli
