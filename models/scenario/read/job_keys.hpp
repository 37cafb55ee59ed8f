#pragma once

#include "models/scenario/read/job_spec.hpp"
#include "topology/input/decoder.hpp"

namespace vgsim::scenario {

/// A layout's "job". Reports keys that do not go together.
[[nodiscard]] input::Decoder<JobSpec> job_decoder();

}  // namespace vgsim::scenario
