#pragma once

#include <cstdint>
#include <map>
#include <pugixml.hpp>
#include <string>

#include "models/vsphere/import/reading.hpp"
#include "models/vsphere/import/vm_facts.hpp"
#include "topology/importers/xml_reader.hpp"

namespace vgsim::vsphere::import {

/// Reads one VirtualSystem of an OVF envelope.
[[nodiscard]] VmFacts read_ovf_vm(pugi::xml_node system, const topology::XmlReader& xml,
                                  FileNotes& notes);

/// Device groups of a vmw:VirtualDeviceGroupSection, by instance.
[[nodiscard]] std::map<std::int64_t, Stated<std::string>> read_ovf_groups(
    pugi::xml_node section, const topology::XmlReader& xml, FileNotes& notes);

}  // namespace vgsim::vsphere::import
