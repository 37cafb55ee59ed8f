#pragma once

#include <optional>
#include <string>

#include "sim/network.hpp"
#include "sim/recorder.hpp"
#include "sim/task_graph.hpp"

namespace vgsim {

/// Checks that a result is not faster than physics allows. A violation is a defect of the
/// simulator: the caller raises an internal error instead of showing the result.
///
/// The bounds are independent of the solver. With C_r the highest capacity of resource r during the
/// run, a_fr the coefficient and W_f the amount of flow f:
///
///  * a task becomes ready no sooner than each dependency ends, and its flow begins no sooner
///    than its delay after that;
///  * flow f takes at least W_f * a_fr / C_r on each resource of its route, and W_f / cap_f;
///  * the flows over r together take at least sum(W_f * a_fr) / C_r of the time during which
///    at least one of them is active;
///  * the makespan is the end of the task that ends last.
///
/// Returns a description of the first violation, with ids and exact picoseconds; nothing when all
/// bounds hold. The timeline must belong to this graph and network. All kept iterations are
/// checked; delays are not checked when the run varied them.
[[nodiscard]] std::optional<std::string> floor_violation(const TaskGraph& graph,
                                                         const Network& network,
                                                         const Timeline& timeline,
                                                         bool delays_vary = false);

}  // namespace vgsim
