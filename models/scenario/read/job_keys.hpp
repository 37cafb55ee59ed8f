#pragma once

#include "models/scenario/read/job_spec.hpp"
#include "topology/input/decoder.hpp"

namespace vgsim::scenario {

/// Reads a layout's "job". Reports incompatible keys.
[[nodiscard]] input::Decoder<JobSpec> job_decoder();

}  // namespace vgsim::scenario
