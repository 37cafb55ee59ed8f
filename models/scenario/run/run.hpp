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

/// Simulates, and checks that the result is not below its physical lower bound. Limits and progress
/// come from the settings. Throws std::logic_error if it is (a bug); StepNotWanted.
[[nodiscard]] Timeline simulate_checked(const TaskGraph& graph, const Network& network,
                                        const RunSettings& settings, RunOptions options = {});

/// Bytes per resource in one iteration, of the tasks with `counts` true.
[[nodiscard]] std::vector<Ratio> carried_by(const TaskGraph& graph, const Network& network,
                                            const std::function<bool(TaskId)>& counts);

/// Utilization of a resource in a time span; at most 1, since input of an iteration may be fetched
/// before it.
[[nodiscard]] double utilization_of(const collectives::PlacedNetwork& network, ResourceId id,
                                    const Ratio& carried, SimTime span);

/// Load of each link in a time span, busiest first, without idle ones; equal links of one kind of
/// host, and equal leaf-spine links, with the same load are merged.
[[nodiscard]] std::vector<LinkUse> link_uses(const Placement& placement,
                                             const collectives::PlacedNetwork& network,
                                             const std::vector<Ratio>& carried, SimTime span);

/// Time of the busiest wire (and storage, if requested) for its load at line rate: a lower bound.
[[nodiscard]] SimTime at_line_rate(const Placement& placement,
                                   const collectives::PlacedNetwork& network,
                                   const std::vector<Ratio>& carried, bool with_storage = false);

/// Time of the busiest resource for its load: a lower bound of the mean iteration, though
/// iterations with input fetched earlier can be shorter.
[[nodiscard]] SimTime longest_carried(const collectives::PlacedNetwork& network,
                                      const std::vector<Ratio>& carried);

/// Lower bounds of an iteration's traffic. `hidden`: time with traffic concurrent to passes, not
/// part of the exposed communication.
[[nodiscard]] Floors traffic_floors(const Placement& placement,
                                    const collectives::PlacedNetwork& network,
                                    const TaskGraph& graph, SimTime hidden);

/// The resource of the cores that carry most; nothing if none carry anything.
[[nodiscard]] std::optional<std::size_t> busiest_cores(const Placement& placement,
                                                       const collectives::PlacedNetwork& network,
                                                       const std::vector<Ratio>& carried);

/// Number of cores busy with input and networking, on the busiest host.
[[nodiscard]] double cores_busy(const Placement& placement,
                                const collectives::PlacedNetwork& network,
                                const std::vector<Ratio>& carried, SimTime span);

/// The kind of link of a bottleneck, by its name.
[[nodiscard]] topology::LinkKind link_kind_called(const collectives::PlacedNetwork& network,
                                                  const std::string& word);

/// The link with the largest share of a path; nothing if no link limited it.
[[nodiscard]] std::optional<Bottleneck> bottleneck_of(const Placement& placement,
                                                      const collectives::PlacedNetwork& network,
                                                      const std::vector<PathShare>& path,
                                                      SimTime length);

}  // namespace vgsim::scenario
