#pragma once

#include <optional>

#include "models/collectives/rank_group.hpp"
#include "models/scenario/build/job.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/file_loader.hpp"

namespace vgsim::scenario {

struct Cluster;
struct Library;

/// Reads the NCCL settings of a job, and defaults set by plug-ins of its NICs. Reports unknown
/// versions, unknown variables, variables without effect in this model, and invalid values.
/// Releases older or newer than the known ones are modelled as the nearest, listed in the job's
/// assumptions. `load` returns the file of NCCL_GRAPH_FILE: a dump of NCCL, or a topology file that
/// contains one.
[[nodiscard]] std::optional<collectives::NcclInput> read_nccl_input(
    Job& job, const Cluster& cluster, const Library& library, const input::FileLoader& load,
    input::Diagnostics& diagnostics);

}  // namespace vgsim::scenario
