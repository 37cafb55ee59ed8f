#pragma once

#include <optional>

#include "models/collectives/rank_group.hpp"
#include "models/scenario/build/job.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/file_loader.hpp"

namespace vgsim::scenario {

struct Cluster;
struct Library;

/// Reads what a job says of NCCL, and what plug-ins of the NICs that it uses set where it does not.
/// Reports versions that are not known, variables that NCCL does not
/// have or that change nothing here, and values that they cannot take. Releases older or newer than
/// all listed ones are taken as the nearest; the job's assumptions say so.
/// `load` hands over the file that NCCL_GRAPH_FILE names: a dump of NCCL's, or a topology file that
/// keeps one.
[[nodiscard]] std::optional<collectives::NcclInput> read_nccl_input(
    Job& job, const Cluster& cluster, const Library& library, const input::FileLoader& load,
    input::Diagnostics& diagnostics);

}  // namespace vgsim::scenario
