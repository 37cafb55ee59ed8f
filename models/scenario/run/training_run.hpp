#pragma once

#include "models/scenario/build/placement.hpp"
#include "models/scenario/build/run_settings.hpp"
#include "models/scenario/run/result.hpp"
#include "topology/input/diagnostics.hpp"

namespace vgsim::scenario {

struct Library;

/// Reports what keeps a training job from running: GPUs whose model is unknown, precisions that a
/// GPU or the network lacks.
void check_training(const Placement& placement, const Library& library,
                    input::Diagnostics& diagnostics);

/// Simulates an epoch of a training job, its iterations as far as they differ; then the same with
/// one GPU (for the scaling efficiency) and with the bottleneck's kind of link taken away (for what
/// would limit next), and fills in the result. The job must have passed check_training().
void run_training(const Placement& placement, const Library& library, const RunSettings& settings,
                  LayoutResult& result);

}  // namespace vgsim::scenario
