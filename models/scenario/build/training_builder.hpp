#pragma once

#include <string>
#include <vector>

#include "models/scenario/build/job.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/file_loader.hpp"

namespace vgsim::scenario {

struct Library;

/// What a job trains, with its defaults, each said among the assumptions; how its work is split is
/// split_work()'s. Reports unknown networks and data sets, and epochs whose length is not known.
[[nodiscard]] training::TrainingJob training_job(const input::At<JobSpec>& job,
                                                 const Library& library,
                                                 const input::FileLoader& load,
                                                 std::vector<std::string>& assumptions,
                                                 input::Diagnostics& diagnostics);

}  // namespace vgsim::scenario
