#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "models/scenario/build/job.hpp"
#include "topology/input/diagnostics.hpp"

namespace vgsim::scenario {

/// Splits the work of a training job over its ranks, and sets the bytes stored per parameter.
/// Reports axes that do not divide the ranks, the network or the batch.
void split_work(const input::At<JobSpec>& job, std::size_t ranks, training::TrainingJob& training,
                std::vector<std::string>& assumptions, input::Diagnostics& diagnostics);

}  // namespace vgsim::scenario
