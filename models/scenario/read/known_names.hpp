#pragma once

#include "topology/input/diagnostics.hpp"
#include "topology/input/value.hpp"

namespace vgsim::scenario {

struct Library;

/// Replaces user spellings in a layout by library names: "4x H100" by "4 x h100-sxm5-80gb" in a
/// server for that GPU, "BERT Large" by "bert-large", "3g.40gb" by the profile of the host's GPUs.
/// Unknown or ambiguous names are kept, and reported where they are looked up. Error: a MIG-backed
/// profile on GPUs without MIG.
[[nodiscard]] input::Value with_known_names(const input::Value& layout, const Library& library,
                                            input::Diagnostics& diagnostics);

}  // namespace vgsim::scenario
