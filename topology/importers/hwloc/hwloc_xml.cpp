#include "topology/importers/hwloc/hwloc_xml.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "topology/importers/file_notes.hpp"
#include "topology/importers/hwloc/hwloc_clean.hpp"
#include "topology/importers/hwloc/hwloc_devices.hpp"
#include "topology/importers/hwloc/hwloc_library.hpp"
#include "topology/importers/hwloc/hwloc_links.hpp"
#include "topology/importers/hwloc/hwloc_nodes.hpp"
#include "topology/importers/xml_reader.hpp"
#include "topology/machine/import_codes.hpp"
#include "topology/machine/text.hpp"

namespace vgsim::topology {
namespace {

constexpr XmlLimits kHwlocLimits{std::size_t{16} << 20, 32, Doctype::kNamesFile};
/// Licence texts may precede the root.
constexpr std::size_t kBeginning = 65536;

/// The text from its root element on: without declaration, comments and DOCTYPE before that.
std::string_view from_root(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  while (true) {
    text = trimmed(text);
    const bool comment = text.starts_with("<!--");
    if (!comment && !text.starts_with("<?") && !text.starts_with("<!")) return text;
    const std::string_view end = comment ? "-->" : ">";
    const std::size_t at = text.find(end);
    if (at == text.npos) return {};
    text.remove_prefix(at + end.size());
  }
}

void note_what_is_missing(const CleanHwloc& clean, hwloc_topology_t topology, FileNotes& notes) {
  if (clean.version_1) {
    notes.skip(
        "names of devices, speeds of PCIe links and links between GPUs, as far as the format of "
        "hwloc 1 lacks them; export with lstopo of hwloc 2.x");
  }
  if (!clean.has_numa_nodes) notes.skip("NUMA nodes: the file lists none");
  if (hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_PCI_DEVICE) <= 0) {
    notes.skip("PCI devices: the file lists none; export with lstopo --whole-io --of xml");
  }
}

tl::expected<Inventory, input::Diagnostics> import(const input::SourcePtr& source,
                                                   const CleanHwloc& clean, FileNotes& notes) {
  const HwlocTopology topology = load_hwloc(clean.xml);
  if (!topology) {
    return file_error(import_codes::kBadValue, source, "libhwloc cannot build a topology from it",
                      "an unmodified file of lstopo");
  }
  Inventory host;
  read_hwloc_machine(topology.get(), host, notes);
  HwlocNodes nodes(topology.get(), clean.has_numa_nodes, host, notes);
  read_hwloc_devices(topology.get(), nodes, notes);
  read_hwloc_links(topology.get(), host, notes);
  note_what_is_missing(clean, topology.get(), notes);
  const bool empty = std::ranges::all_of(host.numa_nodes, [](const inventory::NumaNode& node) {
    return node.devices.empty() && !node.id;
  });
  if (empty) {
    return file_error(import_codes::kNothingInIt, source,
                      "the topology has neither NUMA nodes nor PCI devices",
                      "a file of lstopo --whole-io --of xml");
  }
  notes.tell(host);
  return host;
}

}  // namespace

bool is_hwloc_xml(std::string_view text) {
  text = from_root(text.substr(0, kBeginning));
  constexpr std::string_view kRoot = "<topology";
  if (!text.starts_with(kRoot)) return false;
  text.remove_prefix(kRoot.size());
  if (text.empty() || std::string_view(" \t\r\n>").find(text.front()) == text.npos) return false;
  return text.find("<object") != text.npos;
}

bool is_lstopo_text(std::string_view text) {
  text = trimmed(text.substr(0, kBeginning));
  return text.starts_with("Machine (") && (text.find("\n  ") != text.npos) &&
         (text.find("Package L#") != text.npos || text.find("NUMANode L#") != text.npos ||
          text.find("Core L#") != text.npos || text.find("PU L#") != text.npos);
}

/// The XML is first parsed and cleaned here, with errors at their position, and only the clean copy
/// is passed to libhwloc, which reads all releases but reports only "failed". NUMA nodes, devices
/// and links are then read from its topology, in this order of dependency.
tl::expected<Inventory, input::Diagnostics> read_hwloc_xml(const input::SourcePtr& source) {
  if (is_lstopo_text(source->text)) {
    return file_error(import_codes::kNotThisFormat, source, "this is the text output of lstopo",
                      "its XML: lstopo --whole-io --of xml file.xml");
  }
  FileNotes notes(source);
  XmlReader reader(notes);
  const pugi::xml_node root = reader.load(kHwlocLimits);
  if (!root) return tl::unexpected(notes.errors());
  if (std::string_view(root.name()) != "topology") {
    return file_error(import_codes::kNotThisFormat, source, "the XML is not an hwloc topology",
                      "<topology>");
  }
  const std::optional<CleanHwloc> clean = clean_hwloc_xml(root, reader, notes);
  if (!clean) return tl::unexpected(notes.errors());
  return import(source, *clean, notes);
}

}  // namespace vgsim::topology
