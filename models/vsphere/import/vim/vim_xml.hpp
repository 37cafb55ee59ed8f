#pragma once

#include <optional>

#include "models/vsphere/import/file_notes.hpp"
#include "models/vsphere/import/vim/vim_value.hpp"

namespace vgsim::vsphere::import {

/// Reads an XML document of the vSphere API: what "govc object.save" writes, answers in SOAP, or a
/// data object by itself. Prefixes of namespaces do not matter; attributes without one, such as the
/// type of a managed object, become members. Errors (in `notes`, with nothing returned): E501 to
/// E504 for bad XML, E533 beyond the limits of VimValue.
[[nodiscard]] std::optional<VimValue> read_vim_xml(FileNotes& notes);

}  // namespace vgsim::vsphere::import
