#pragma once

#include <string>
#include <vector>

#include "models/scenario/build/job.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/file_loader.hpp"

namespace vgsim::scenario {

struct Library;

/// The training job without its parallelism (see split_work()). Adds used defaults to the
/// assumptions. Reports unknown networks and data sets, and epochs of unknown length.
[[nodiscard]] training::TrainingJob training_job(const input::At<JobSpec>& job,
                                                 const Library& library,
                                                 const input::FileLoader& load,
                                                 std::vector<std::string>& assumptions,
                                                 input::Diagnostics& diagnostics);

}  // namespace vgsim::scenario
