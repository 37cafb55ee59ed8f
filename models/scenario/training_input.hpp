#pragma once

#include <string>
#include <vector>

#include "models/scenario/job.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/file_loader.hpp"
#include "topology/input/value.hpp"

namespace vgsim::scenario {

struct Library;

/// Reads a job's training keys with their defaults, each default said among the assumptions; how
/// its work is split is read_parallelism()'s. Reports unknown networks and data sets, and epochs
/// whose length is not known.
[[nodiscard]] TrainingJob read_training(const input::Value& job, const Library& library,
                                        const input::FileLoader& load,
                                        std::vector<std::string>& assumptions,
                                        input::Diagnostics& diagnostics);

}  // namespace vgsim::scenario
