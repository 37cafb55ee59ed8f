#pragma once

#include "topology/importers/file_notes.hpp"

namespace vgsim::topology {

/// Reports devices of one host that share a bus id. GPUs, and devices without a class, are errors,
/// because an NVLink or a completion with that bus id would be ambiguous; so are GPUs with the same
/// number. NICs and bridges, which have different positions in the file, are warnings.
void report_same_gpus(const Inventory& system, FileNotes& notes);

}  // namespace vgsim::topology
