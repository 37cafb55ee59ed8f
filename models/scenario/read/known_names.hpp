#pragma once

#include "topology/input/diagnostics.hpp"
#include "topology/input/value.hpp"

namespace vgsim::scenario {

struct Library;

/// A layout with names as the library has them, where a person may have written others: "4x H100"
/// becomes "4 x h100-sxm5-80gb" in a server that is made for that, "BERT Large" becomes
/// "bert-large", "3g.40gb" the profile of the host's GPUs. What means nothing, or several things,
/// stays as it is, for those who look it up to report. Error: a MIG-backed profile where no GPU
/// has MIG.
[[nodiscard]] input::Value with_known_names(const input::Value& layout, const Library& library,
                                            input::Diagnostics& diagnostics);

}  // namespace vgsim::scenario
