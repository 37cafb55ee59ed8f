#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "models/collectives/placed_network.hpp"
#include "models/scenario/build/placement.hpp"
#include "models/scenario/build/run_settings.hpp"
#include "models/scenario/run/result.hpp"
#include "sim/critical_path.hpp"
#include "sim/engine.hpp"

namespace vgsim::scenario {

/// Simulates and checks the answer against its physical floor. `options` says what to run; limits
/// and progress come from the settings.
/// Throws std::logic_error if it is below: a bug, never to be shown as a result; StepNotWanted.
[[nodiscard]] Timeline simulate_checked(const TaskGraph& graph, const Network& network,
                                        const RunSettings& settings, RunOptions options = {});

/// Bytes that the tasks for which `counts` is true put on each resource in one iteration.
[[nodiscard]] std::vector<Ratio> carried_by(const TaskGraph& graph, const Network& network,
                                            const std::function<bool(TaskId)>& counts);

/// What a resource carried in a time span, as a share of what it can carry in it; at most 1, since
/// what an iteration carries may have been fetched before it began.
[[nodiscard]] double utilization_of(const collectives::PlacedNetwork& network, ResourceId id,
                                    const Ratio& carried, SimTime span);

/// What each link carried in a time span, busiest first, idle ones left out; links of the same
/// kind of host, and those between leaves and spines, that carried the same stand as one.
[[nodiscard]] std::vector<LinkUse> link_uses(const Placement& placement,
                                             const collectives::PlacedNetwork& network,
                                             const std::vector<Ratio>& carried, SimTime span);

/// What the busiest wire takes for what it carried, at its line rate; with that of storage, where
/// that is asked for. Nothing that crossed them is faster.
[[nodiscard]] SimTime at_line_rate(const Placement& placement,
                                   const collectives::PlacedNetwork& network,
                                   const std::vector<Ratio>& carried, bool with_storage = false);

/// What the busiest of all resources takes for what it carried: no iteration is shorter in the long
/// run, though some may be that find their input fetched.
[[nodiscard]] SimTime longest_carried(const collectives::PlacedNetwork& network,
                                      const std::vector<Ratio>& carried);

/// The floors of an iteration's traffic. Of the exposed communication they leave out what may
/// hide: `hidden`, the time that traffic is on its way beside passes.
[[nodiscard]] Floors traffic_floors(const Placement& placement,
                                    const collectives::PlacedNetwork& network,
                                    const TaskGraph& graph, SimTime hidden);

/// Cores at work with input and network, of the host where most are.
[[nodiscard]] double cores_busy(const Placement& placement,
                                const collectives::PlacedNetwork& network,
                                const std::vector<Ratio>& carried, SimTime span);

/// The kind of link that a bottleneck of this network is one of, by its word.
[[nodiscard]] topology::LinkKind link_kind_called(const collectives::PlacedNetwork& network,
                                                  const std::string& word);

/// The link that a path spent the longest time on; nothing if no link ever held it back.
[[nodiscard]] std::optional<Bottleneck> bottleneck_of(const Placement& placement,
                                                      const collectives::PlacedNetwork& network,
                                                      const std::vector<PathShare>& path,
                                                      SimTime length);

}  // namespace vgsim::scenario
