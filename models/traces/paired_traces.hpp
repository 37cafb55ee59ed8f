#pragma once

#include <cstddef>
#include <string>
#include <tl/expected.hpp>

#include "models/traces/operation.hpp"
#include "topology/input/diagnostics.hpp"

namespace vgsim::traces {

/// A profile whose operations have the shapes that an execution trace of the same run tells.
struct PairedTraces {
  Trace trace;
  std::size_t passes =
      0;  ///< of the profile, in which the operations of a recorded pass were found
};

/// Gives the operations of a profile without shapes those of an execution trace, one of which holds
/// times, the other tensors. They may be of other iterations of the same run.
///
/// Errors: E605 where no pass of the execution trace is in the profile, operation by operation.
[[nodiscard]] tl::expected<PairedTraces, input::Diagnostics> with_shapes(Trace profile,
                                                                         const Trace& execution,
                                                                         const std::string& file);

}  // namespace vgsim::traces
