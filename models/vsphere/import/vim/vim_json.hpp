#pragma once

#include <vector>

#include "models/vsphere/import/file_notes.hpp"
#include "models/vsphere/import/vim/vim_value.hpp"

namespace vgsim::vsphere::import {

/// Reads JSON documents that stand one behind the other, as "govc -json" writes them for several
/// objects. Errors (in `notes`, with nothing returned): E531 for text that is not JSON, E532 for an
/// empty file or an early end, E533 beyond the limits of VimValue.
[[nodiscard]] std::vector<VimValue> read_vim_json(FileNotes& notes);

}  // namespace vgsim::vsphere::import
