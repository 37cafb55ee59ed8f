#pragma once

#include <pugixml.hpp>

#include "topology/importers/dump_notes.hpp"

namespace vgsim::topology {

/// Names of the distance matrices that tell of GPU links.
inline constexpr const char* kHwlocNvLinks = "NVLinkBandwidth";
inline constexpr const char* kHwlocXgmi = "XGMIBandwidth";
inline constexpr const char* kHwlocXgmiHops = "XGMIHops";

/// Copies one of these matrices (<distances2> or <distances2hetero>) to `topology`; other elements
/// are passed over. One that does not have as many objects and values as it says, or more than 1024
/// objects, is left out with a note.
void copy_hwloc_matrix(pugi::xml_node from, pugi::xml_node topology, DumpNotes& notes);

}  // namespace vgsim::topology
