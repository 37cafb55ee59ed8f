#pragma once

#include <cstddef>
#include <string>
#include <tl/expected.hpp>

#include "models/traces/operation.hpp"
#include "topology/input/diagnostics.hpp"

namespace vgsim::traces {

/// A profile with the shapes from an execution trace of the same run.
struct PairedTraces {
  Trace trace;
  std::size_t passes =
      0;  ///< of the profile, in which the operations of a recorded pass were found
};

/// Adds the shapes of an execution trace to the operations of a profile: one trace has times, the
/// other tensors. They can be of different iterations of the same run.
///
/// Errors: E605 if no pass of the execution trace matches the profile, operation by operation.
[[nodiscard]] tl::expected<PairedTraces, input::Diagnostics> with_shapes(Trace profile,
                                                                         const Trace& execution,
                                                                         const std::string& file);

}  // namespace vgsim::traces
