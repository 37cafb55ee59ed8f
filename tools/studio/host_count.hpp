#pragma once

#include <cstdint>

#include "topology/input/diagnostics.hpp"
#include "topology/input/value.hpp"

namespace vgsim::studio {

/// A scenario with single names and that many hosts. Added hosts are copies of the last one,
/// with copies of its VMs under the next numbers; removed hosts are the last ones, with their
/// VMs. Errors: no host to copy, a last host without a number in its name, or one on which only
/// vSphere places VMs.
[[nodiscard]] input::Value with_host_count(const input::Value& scenario, std::int64_t count,
                                           input::Diagnostics& diagnostics);

}  // namespace vgsim::studio
