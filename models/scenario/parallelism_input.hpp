#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "models/scenario/job.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/shape.hpp"
#include "topology/input/value.hpp"

namespace vgsim::scenario {

/// The keys of a job that say how its work is split, and what it keeps in memory.
[[nodiscard]] std::vector<input::Field> parallelism_fields();

/// Reads them into a job of so many ranks. Reports numbers that do not fit each other.
void read_parallelism(const input::Value& job, std::size_t ranks, TrainingJob& training,
                      std::vector<std::string>& assumptions, input::Diagnostics& diagnostics);

}  // namespace vgsim::scenario
