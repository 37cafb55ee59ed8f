#pragma once

#include <cstdint>

#include "topology/input/diagnostics.hpp"
#include "topology/input/value.hpp"

namespace vgsim::studio {

/// A scenario with single names and so many hosts: more are like the last one, each with VMs like
/// the last one's, named on by number; fewer are the first ones, without the VMs of the others.
/// Errors: none to be like, a last one without a number in its name, or one on which VMs are placed
/// by vSphere alone.
[[nodiscard]] input::Value with_host_count(const input::Value& scenario, std::int64_t count,
                                           input::Diagnostics& diagnostics);

}  // namespace vgsim::studio
