#pragma once

#include "models/scenario/build/cluster.hpp"
#include "models/scenario/build/job.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/file_loader.hpp"

namespace vgsim::scenario {

struct Library;

/// Differences between machines with equal content: membership in the job, stragglers and link
/// faults. The layout must outlive the result.
[[nodiscard]] Distinction distinction_of(const Layout& layout);

/// The job of a layout on its machines. Reports unknown networks and data sets, patterns that match
/// no machine, and impossible parallelism.
[[nodiscard]] Job build_job(const Layout& layout, const Cluster& cluster, const Library& library,
                            const input::FileLoader& load, input::Diagnostics& diagnostics);

}  // namespace vgsim::scenario
