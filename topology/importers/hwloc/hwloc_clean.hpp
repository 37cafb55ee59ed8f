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

/// Writes what the importer needs of <topology> anew for libhwloc, which drops what follows a
/// comment, and crashes on sets or numbers that cannot be: objects but caches (their children move
/// up) and Misc objects, the attributes and infos that it knows, and the bandwidths of NVLink and
/// xGMI. Every number and set is checked, strings become printable.
///
/// Empty with errors in `reader`: a version other than 1 and 2, objects without what libhwloc
/// needs, more than 16384 of them, 4096 PCI functions or 1024 NUMA nodes. PCI domains beyond 16
/// bits, which libhwloc cannot hold, and bandwidths that do not fit together are left out with a
/// note.
[[nodiscard]] std::optional<CleanHwloc> clean_hwloc_xml(pugi::xml_node topology,
                                                        const XmlReader& reader, FileNotes& notes);

/// Names of the distance matrices that tell of GPU links.
inline constexpr const char* kHwlocNvLinks = "NVLinkBandwidth";
inline constexpr const char* kHwlocXgmi = "XGMIBandwidth";
inline constexpr const char* kHwlocXgmiHops = "XGMIHops";

/// Copies one of these matrices (<distances2> or <distances2hetero>) to `topology`; other elements
/// are passed over. One that does not have as many objects and values as it says, or more than 1024
/// objects, is left out with a note.
void copy_hwloc_matrix(pugi::xml_node from, pugi::xml_node topology, FileNotes& notes);

}  // namespace vgsim::topology
