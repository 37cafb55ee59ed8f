#pragma once

#include <vector>

#include "models/training/step_plan.hpp"
#include "models/training/virtualization.hpp"
#include "topology/input/diagnostics.hpp"

namespace vgsim::scenario {

struct JobUnits;
struct Library;
struct Placement;

/// What the units of a job do.
struct UnitWork {
  std::vector<training::StageWork> work;
  std::vector<std::vector<training::ComputeLoss>> losses;  ///< by work: of an iteration
  std::vector<training::Unit> units;                       ///< as JobUnits has them
};

/// Of a job that is data-parallel alone: backward passes cut where gradient buckets become ready,
/// micro-batches but the last gone through before. Reports GPUs whose model is unknown and
/// precisions that a GPU or the network lacks; the result is then of no use.
[[nodiscard]] UnitWork bucketed_work(const Placement& placement, const Library& library,
                                     const JobUnits& units, input::Diagnostics& diagnostics);

/// Of a job that shards more than its data: what ranks compute layer by layer, and exchange. The
/// work is that of the slowest kind of GPU. The ranks of a unit wait for each other in every layer,
/// so compute as long as the slowest of them; other units have a pace of their own. Reports the
/// same.
[[nodiscard]] UnitWork sharded_work(const Placement& placement, const Library& library,
                                    const JobUnits& units, input::Diagnostics& diagnostics);

}  // namespace vgsim::scenario
