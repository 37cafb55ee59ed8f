#pragma once

#include "models/scenario/read/job_spec.hpp"
#include "topology/input/record.hpp"

namespace vgsim::scenario {

/// The keys of a job that describe the training of a network.
[[nodiscard]] input::Keys<TrainingSpec> training_keys();

/// The keys of its parallelism.
[[nodiscard]] input::Keys<TrainingSpec> parallel_keys();

/// Normalizes words for sharding: "fsdp" becomes "zero3", and a word as the whole of "parallel"
/// becomes {"sharding": "zero3"}, so that equivalent documents are equal.
[[nodiscard]] input::Value with_plain_parallel(const input::Value& job);

}  // namespace vgsim::scenario
