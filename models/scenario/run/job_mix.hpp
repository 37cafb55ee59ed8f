#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include "models/collectives/placed_network.hpp"
#include "models/scenario/build/placement.hpp"
#include "sim/engine.hpp"
#include "sim/network.hpp"
#include "sim/task_graph.hpp"
#include "topology/graph/device_kinds.hpp"

namespace vgsim::scenario {

/// One iteration of a job over the links of its hosts and the fabric.
struct JobStep {
  const collectives::PlacedNetwork* placed = nullptr;
  const TaskGraph* graph = nullptr;
  std::vector<TaskId> ends;  ///< its iteration has ended when all of them have
  std::size_t warm_up = 0;   ///< iterations until its input is fetched at the pace of its use
  SimTime start{};           ///< of its first iteration
  SimTime alone{};           ///< time of an iteration of the job alone
};

struct MixRun {
  std::vector<SimTime> iterations;  ///< mean time of an iteration, by job
  std::uint64_t events = 0;
};

/// Several jobs in one engine. They share the resources of hosts that more than one of them uses,
/// and the links of the fabric.
class JobMix {
 public:
  /// `apart`: resources of these kinds are not shared, as if each job had its own.
  explicit JobMix(std::set<topology::LinkKind> apart = {}) : apart_(std::move(apart)) {}

  /// The step must outlive the mix. Hosts that another job uses must not represent others
  /// (PlacedLink::copies).
  void add(const JobStep& step);

  /// Runs all jobs until each has repeated its iteration in the same time or has run often enough,
  /// and returns the mean times. Throws as simulate() does.
  [[nodiscard]] MixRun run(const Limits& limits) const;

  /// Tasks in one iteration of each job.
  [[nodiscard]] std::size_t tasks() const { return graph_.size(); }

  /// The kinds of resources that several jobs use.
  [[nodiscard]] std::set<topology::LinkKind> shared_kinds() const;
  /// A resource of that kind that several jobs use, as a resource of the job's own network.
  [[nodiscard]] std::optional<ResourceId> shared_resource(std::size_t job,
                                                          topology::LinkKind kind) const;

 private:
  /// What two jobs must have in common to share a resource: nothing for those of one job.
  using Key = std::tuple<std::size_t, std::size_t, std::size_t, std::size_t>;
  [[nodiscard]] Key key_of(std::size_t job, const collectives::PlacedNetwork& placed,
                           ResourceId id) const;

  [[nodiscard]] std::map<TaskId, SimTime> first_tasks() const;

  struct Resource {
    topology::LinkKind kind{};
    std::map<std::size_t, ResourceId> users;  ///< jobs whose flows cross it
  };

  std::set<topology::LinkKind> apart_;
  std::vector<JobStep> steps_;
  std::vector<std::size_t> first_task_;  ///< by job
  std::map<Key, ResourceId> known_;
  std::vector<Resource> resources_;
  Network network_;
  TaskGraph graph_;
};

}  // namespace vgsim::scenario
