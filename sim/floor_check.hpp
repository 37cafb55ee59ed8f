#pragma once

#include <optional>
#include <string>

#include "sim/network.hpp"
#include "sim/recorder.hpp"
#include "sim/task_graph.hpp"

namespace vgsim {

/// Looks for a result that is faster than physics allows. That must never happen: a caller that
/// gets a description raises an internal error with it instead of showing the result.
///
/// The bounds need no solver and so check it from outside. With C_r the highest capacity that
/// resource r ever has, a_fr the coefficient and W_f the amount of flow f:
///
///  * a task becomes ready no sooner than each dependency ends, and its flow begins no sooner
///    than its delay after that;
///  * flow f takes at least W_f * a_fr / C_r on each resource of its route, and W_f / cap_f;
///  * the flows over r together take at least sum(W_f * a_fr) / C_r out of the time during which
///    at least one of them is under way;
///  * the makespan is the end of the task that ends last.
///
/// Returns the first violation found, in words, with ids and exact picoseconds; nothing when all
/// hold. The timeline must be one of this graph and network; all iterations that it kept are
/// checked. Delays are not, where the run varied them.
[[nodiscard]] std::optional<std::string> floor_violation(const TaskGraph& graph,
                                                         const Network& network,
                                                         const Timeline& timeline,
                                                         bool delays_vary = false);

}  // namespace vgsim
