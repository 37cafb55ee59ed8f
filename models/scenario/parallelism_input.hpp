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

/// A job whose "parallel" is an object with the words that read_parallelism() knows, where people
/// may also write one word for it all ("fsdp"), or other words for these.
[[nodiscard]] input::Value with_plain_parallel(const input::Value& job);

/// Reads them into a job of so many ranks. Reports numbers that do not fit each other.
void read_parallelism(const input::Value& job, std::size_t ranks, TrainingJob& training,
                      std::vector<std::string>& assumptions, input::Diagnostics& diagnostics);

}  // namespace vgsim::scenario
