#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "models/scenario/build/split_preparation.hpp"
#include "models/scenario/run/iteration_reader.hpp"
#include "models/scenario/run/iteration_window.hpp"
#include "models/scenario/run/run.hpp"

namespace vgsim::scenario {
namespace {

using training::Activity;
using training::Axis;

class SplitReader {
 public:
  explicit SplitReader(const RanSplit& ran)
      : ran_(ran), window_{ran.times.steady_begin, ran.times.steady_end} {}

  IterationRecord read() const {
    IterationRecord record{window_.end - window_.begin, {}, {}};
    const std::size_t replica = ran_.times.unit % ran_.ranks.replicas;
    const std::size_t stages = std::min(ran_.ranks.parallelism.pipeline, kMostLanes);
    for (std::size_t s = 0; s < stages; ++s) {
      record.lanes.push_back(computing(s * ran_.ranks.replicas + replica));
    }
    Lane lane = input(replica);
    if (!lane.spans.empty()) record.lanes.push_back(std::move(lane));
    for (std::size_t s = 0; s < stages; ++s) {
      for (Lane& more : exchanges(s * ran_.ranks.replicas + replica)) {
        record.lanes.push_back(std::move(more));
      }
    }
    record.critical_path = path();
    return record;
  }

 private:
  [[nodiscard]] Activity activity(TaskId task) const {
    return static_cast<Activity>(ran_.split.graph.category(task));
  }

  /// "stage 3", or the first of ranks that all do the same.
  [[nodiscard]] std::string name(std::size_t unit) const {
    if (ran_.ranks.parallelism.pipeline > 1) {
      return fmt::format("stage {}", unit / ran_.ranks.replicas + 1);
    }
    return rank_name(ran_.placement, rank_class(ran_.placement, ran_.ranks.units[unit].front()));
  }

  [[nodiscard]] std::size_t ranks_of_stage() const {
    return ran_.ranks.parallelism.ranks() / ran_.ranks.parallelism.pipeline;
  }

  [[nodiscard]] Lane computing(std::size_t unit) const {
    Lane lane{name(unit), ranks_of_stage(), {}};
    const training::UnitStep& step = ran_.split.units[unit];
    const auto add = [&](TaskId task) {
      const TaskRecord& record = ran_.timeline.task(task);
      window_.add(lane.spans, record.ready, record.end, training::to_string(activity(task)), "");
    };
    for (const TaskId task : step.passes) add(task);
    add(step.optimizer);
    return lane;
  }

  [[nodiscard]] Lane input(std::size_t unit) const {
    Lane lane{name(unit) + " input", ranks_of_stage(), {}};
    const TaskGraph& graph = ran_.split.graph;
    for (std::size_t i = 0; i < graph.size(); ++i) {
      const auto task = static_cast<TaskId>(i);
      const Activity what = activity(task);
      if (!training::is_input(what) || graph.subject(task) != unit) continue;
      window_.add_shifted(lane.spans, ran_.timeline.task(task), training::to_string(what));
    }
    sort_spans(lane);
    return lane;
  }

  /// What a unit takes part in, by axis; of the axis of stages what it waits for.
  [[nodiscard]] std::vector<Lane> exchanges(std::size_t unit) const {
    std::map<std::string, Lane> lanes;
    for (const training::Traffic& traffic : ran_.split.traffic) {
      const auto& units = traffic.units;
      if (std::find(units.begin(), units.end(), unit) == units.end()) continue;
      const std::string axis =
          training::to_string(traffic.axis == Axis::kExpertData ? Axis::kData : traffic.axis);
      Lane& lane = lanes[axis];
      lane.name = fmt::format("{}, {}", name(unit), axis);
      window_.add(lane.spans, ran_.timeline.task(traffic.tasks.begin).ready,
                  ran_.timeline.task(traffic.tasks.end).end,
                  training::to_string(activity(traffic.tasks.begin)), "");
    }
    std::vector<Lane> result;
    for (auto& [axis, lane] : lanes) {
      sort_spans(lane);
      if (!lane.spans.empty()) result.push_back(std::move(lane));
    }
    return result;
  }

  [[nodiscard]] std::vector<PathStep> path() const {
    std::vector<PathStep> path;
    for (const PathSegment& segment : ran_.times.critical_path) {
      PathStep step{std::max(segment.begin, window_.begin) - window_.begin,
                    std::min(segment.end, window_.end) - window_.begin,
                    training::to_string(activity(segment.task)),
                    name(ran_.split.graph.subject(segment.task)),
                    "",
                    ""};
      if (segment.resource) {
        step.resource = link_name(ran_.placement, ran_.network, *segment.resource);
        step.resource_kind = topology::to_string(ran_.network.kind(*segment.resource));
      }
      append(path, std::move(step));
    }
    return path;
  }

  const RanSplit& ran_;
  IterationWindow window_;
};

}  // namespace

IterationRecord read_iteration(const RanSplit& ran) { return SplitReader(ran).read(); }

}  // namespace vgsim::scenario
