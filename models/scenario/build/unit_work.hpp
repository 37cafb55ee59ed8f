#pragma once

#include <vector>

#include "models/training/step_plan.hpp"
#include "models/training/virtualization.hpp"
#include "topology/input/diagnostics.hpp"

namespace vgsim::scenario {

struct JobUnits;
struct Library;
struct Placement;

/// The work of a job's units.
struct UnitWork {
  std::vector<training::StageWork> work;
  std::vector<std::vector<training::ComputeLoss>> losses;  ///< by work, per iteration
  std::vector<training::Unit> units;                       ///< in the order of JobUnits
};

/// Work of a purely data-parallel job: backward passes are split where gradient buckets become
/// ready; all micro-batches but the last run before. Reports unknown GPU models and precisions
/// missing on a GPU or network; the result is then invalid.
[[nodiscard]] UnitWork bucketed_work(const Placement& placement, const Library& library,
                                     const JobUnits& units, input::Diagnostics& diagnostics);

/// Work of a job that shards more than its data: computing and communication by layer. The work is
/// that of the slowest kind of GPU. The ranks of a unit wait for each other in every layer, so the
/// unit is as slow as its slowest rank; units differ. Reports the same errors.
[[nodiscard]] UnitWork sharded_work(const Placement& placement, const Library& library,
                                    const JobUnits& units, input::Diagnostics& diagnostics);

}  // namespace vgsim::scenario
