#pragma once

#include <cstddef>
#include <optional>
#include <pugixml.hpp>
#include <string>

#include "topology/importers/file_notes.hpp"
#include "topology/importers/xml_reader.hpp"

namespace vgsim::topology {

/// A topology as libhwloc may see it.
struct CleanHwloc {
  std::string xml;
  bool version_1 = false;       ///< of the format, which lacks much
  bool has_numa_nodes = false;  ///< otherwise libhwloc makes one up
};

/// Rewrites the parts of <topology> that the importer needs. libhwloc drops content after a comment
/// and crashes on invalid sets or numbers. Kept: objects except caches (their children move up) and
/// Misc objects, known attributes and infos, and the bandwidths of NVLink and xGMI. Every number
/// and set is checked; strings become printable.
///
/// Nothing, with errors in `reader`: a version other than 1 and 2, objects without required
/// attributes, more than 16384 objects, 4096 PCI functions or 1024 NUMA nodes. PCI domains beyond
/// 16 bits, which libhwloc does not support, and inconsistent bandwidths are omitted with a note.
[[nodiscard]] std::optional<CleanHwloc> clean_hwloc_xml(pugi::xml_node topology,
                                                        const XmlReader& reader, FileNotes& notes);

/// Names of the distance matrices of GPU links.
inline constexpr const char* kHwlocNvLinks = "NVLinkBandwidth";
inline constexpr const char* kHwlocXgmi = "XGMIBandwidth";
inline constexpr const char* kHwlocXgmiHops = "XGMIHops";

/// Copies one of these matrices (<distances2> or <distances2hetero>) to `topology`; ignores other
/// elements. A matrix with a wrong number of objects or values, or more than 1024 objects, is
/// omitted with a note.
void copy_hwloc_matrix(pugi::xml_node from, pugi::xml_node topology, FileNotes& notes);

}  // namespace vgsim::topology
