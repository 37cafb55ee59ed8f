#pragma once

#include "models/scenario/build/cluster.hpp"
#include "models/scenario/build/job.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/file_loader.hpp"

namespace vgsim::scenario {

struct Library;

/// What sets machines with equal content apart: whether the job takes them, whether the scenario
/// slows one of their GPUs down or one of their links. The layout must outlive the answer.
[[nodiscard]] Distinction distinction_of(const Layout& layout);

/// The job of a layout on its machines. Reports unknown networks and data sets, patterns that fit
/// no machine, and what cannot be split as it is asked for.
[[nodiscard]] Job build_job(const Layout& layout, const Cluster& cluster, const Library& library,
                            const input::FileLoader& load, input::Diagnostics& diagnostics);

}  // namespace vgsim::scenario
