#pragma once

#include "topology/importers/file_notes.hpp"

namespace vgsim::topology {

/// Reports devices of one host that share a bus id. GPUs, and devices of no class that could be
/// some, are errors: an NVLink or a completion that names them would be ambiguous. So are GPUs
/// with the same number. NICs and bridges are told apart by their place in the file: a warning.
void report_same_gpus(const Inventory& system, FileNotes& notes);

}  // namespace vgsim::topology
