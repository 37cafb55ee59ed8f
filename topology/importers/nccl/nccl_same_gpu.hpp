#pragma once

#include "topology/importers/nccl/nccl_xml.hpp"
#include "topology/input/diagnostics.hpp"

namespace vgsim::topology {

/// Reports devices of one host that share a bus id. GPUs, and devices of no class that could be
/// some, are errors: an NVLink or a completion that names them would be ambiguous. So are GPUs
/// with the same `dev`. NICs and bridges are told apart by their place in the file: a warning.
void report_same_gpus(const NcclSystem& system, input::Diagnostics& diagnostics);

}  // namespace vgsim::topology
