#pragma once

#include "models/scenario/read/job_spec.hpp"
#include "topology/input/record.hpp"

namespace vgsim::scenario {

/// The keys of a job that describe the training of a network.
[[nodiscard]] input::Keys<TrainingSpec> training_keys();

/// Those of them that say how its work is split over ranks.
[[nodiscard]] input::Keys<TrainingSpec> parallel_keys();

/// A word for how data-parallel ranks share out their state is another word for it: "fsdp" is
/// "zero3", and as the whole of "parallel" it stands for {"sharding": "zero3"}. Documents that say
/// the same are the same after that.
[[nodiscard]] input::Value with_plain_parallel(const input::Value& job);

}  // namespace vgsim::scenario
