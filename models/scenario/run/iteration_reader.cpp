#include "models/scenario/run/iteration_reader.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "models/scenario/run/iteration_window.hpp"
#include "models/scenario/run/run.hpp"
#include "sim/critical_path.hpp"
#include "topology/input/units/unit_strings.hpp"

namespace vgsim::scenario {
namespace {

using training::Activity;
using training::Axis;

class StepReader {
 public:
  explicit StepReader(const RanStep& ran)
      : ran_(ran), window_{ran.times.steady_begin, ran.times.steady_end} {}

  IterationRecord read() const {
    IterationRecord record{window_.end - window_.begin, {}, {}};
    const std::vector<std::size_t> units = shown_units();
    const auto add = [&](Lane lane) {
      if (!lane.spans.empty()) record.lanes.push_back(std::move(lane));
    };
    for (const std::size_t unit : units) record.lanes.push_back(computing(unit));
    for (const std::size_t unit : units) add(input(unit));
    if (apart()) {
      add(gradients());
    } else {
      for (const std::size_t unit : units) {
        for (Lane& lane : exchanges(unit)) add(std::move(lane));
      }
    }
    record.critical_path = path();
    return record;
  }

 private:
  /// Whether units have separate iterations, coupled only by gradients.
  [[nodiscard]] bool apart() const { return !ran_.training.barrier; }

  [[nodiscard]] std::vector<std::size_t> shown_units() const {
    std::vector<std::size_t> units;
    const std::size_t step = apart() ? 1 : ran_.units.replicas;
    std::size_t unit = apart() ? 0 : ran_.times.unit % step;
    for (; unit < ran_.units.units.size() && units.size() < kMostLanes; unit += step) {
      units.push_back(unit);
    }
    return units;
  }

  [[nodiscard]] Activity activity(TaskId task) const {
    return static_cast<Activity>(ran_.training.graph.category(task));
  }

  /// "stage 3", or the first of equivalent ranks.
  [[nodiscard]] std::string name(std::size_t unit) const {
    if (ran_.units.parallelism.pipeline > 1) {
      return fmt::format("stage {}", unit / ran_.units.replicas + 1);
    }
    return rank_name(ran_.placement, rank_class(ran_.placement, ran_.units.units[unit].front()));
  }

  /// Number of ranks represented by a unit.
  [[nodiscard]] std::size_t ranks_of(std::size_t unit) const {
    if (!ran_.units.alike.empty()) return ran_.units.alike[unit];
    return ran_.units.parallelism.ranks() / ran_.units.parallelism.pipeline;
  }

  [[nodiscard]] Lane computing(std::size_t unit) const {
    Lane lane{name(unit), ranks_of(unit), {}};
    const training::UnitStep& step = ran_.training.units[unit];
    const auto record = [&](TaskId task) -> const TaskRecord& { return ran_.timeline.task(task); };
    const auto add = [&](SimTime from, SimTime to, const char* kind) {
      window_.add(lane.spans, from, to, kind, "");
    };
    if (apart()) add(window_.begin, record(step.begin).ready, "waiting for data");
    SimTime passed = window_.begin;
    for (const TaskId task : step.passes) {
      add(std::max(record(task).ready, passed), record(task).end,
          training::to_string(activity(task)));
      passed = std::max(passed, record(task).end);
    }
    if (apart()) add(passed, record(step.optimizer.begin).ready, "waiting for gradients");
    add(record(step.optimizer.begin).ready, record(step.optimizer.end).end,
        training::to_string(Activity::kOptimizer));
    return lane;
  }

  [[nodiscard]] Lane input(std::size_t unit) const {
    Lane lane{name(unit) + " input", ranks_of(unit), {}};
    const TaskGraph& graph = ran_.training.graph;
    for (std::size_t i = 0; i < graph.size(); ++i) {
      const auto task = static_cast<TaskId>(i);
      const Activity what = activity(task);
      if (!training::is_input(what) || graph.subject(task) != unit) continue;
      window_.add_shifted(lane.spans, ran_.timeline.task(task), training::to_string(what));
    }
    sort_spans(lane);
    return lane;
  }

  void add(const training::Traffic& traffic, std::string what, Lane& lane) const {
    window_.add(lane.spans, ran_.timeline.task(traffic.tasks.begin).ready,
                ran_.timeline.task(traffic.tasks.end).end,
                training::to_string(activity(traffic.tasks.begin)), std::move(what));
  }

  /// "bucket 3 of 7, 25 MiB".
  [[nodiscard]] std::string reduction(std::size_t number) const {
    const auto& traffic = ran_.training.traffic;
    const auto is_bucket = [](const training::Traffic& one) {
      return one.exchange.collective == collectives::Collective::kAllReduce;
    };
    if (!is_bucket(traffic[number])) return "exchange of sharded layers";
    return fmt::format("bucket {} of {}, {}", number + 1,
                       std::count_if(traffic.begin(), traffic.end(), is_bucket),
                       input::format_bytes(traffic[number].exchange.size));
  }

  [[nodiscard]] std::string reduction_of(TaskId task) const {
    const auto& traffic = ran_.training.traffic;
    std::size_t number = 0;
    while (number + 1 < traffic.size() && task > traffic[number].last) ++number;
    return reduction(number);
  }

  [[nodiscard]] Lane gradients() const {
    Lane lane{training::to_string(Activity::kGradients), 0, {}};
    for (std::size_t t = 0; t < ran_.training.traffic.size(); ++t) {
      add(ran_.training.traffic[t], reduction(t), lane);
    }
    return lane;
  }

  /// Communication of a unit by axis; for the pipeline axis its waits.
  [[nodiscard]] std::vector<Lane> exchanges(std::size_t unit) const {
    std::map<std::string, Lane> lanes;
    for (const training::Traffic& traffic : ran_.training.traffic) {
      const auto& units = traffic.units;
      if (std::find(units.begin(), units.end(), unit) == units.end()) continue;
      const Axis axis = traffic.exchange.axis;
      const std::string word = training::to_string(axis == Axis::kExpertData ? Axis::kData : axis);
      Lane& lane = lanes[word];
      lane.name = fmt::format("{}, {}", name(unit), word);
      add(traffic, "", lane);
    }
    std::vector<Lane> result;
    for (auto& [axis, lane] : lanes) {
      sort_spans(lane);
      result.push_back(std::move(lane));
    }
    return result;
  }

  [[nodiscard]] std::vector<PathStep> path() const {
    std::vector<PathStep> path;
    for (const PathSegment& segment : ran_.times.critical_path) {
      const bool reduces = apart() && activity(segment.task) == Activity::kGradients;
      PathStep step{
          std::max(segment.begin, window_.begin) - window_.begin,
          std::min(segment.end, window_.end) - window_.begin,
          training::to_string(activity(segment.task)),
          reduces ? reduction_of(segment.task) : name(ran_.training.graph.subject(segment.task)),
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

  const RanStep& ran_;
  IterationWindow window_;
};

}  // namespace

IterationRecord read_iteration(const RanStep& ran) { return StepReader(ran).read(); }

}  // namespace vgsim::scenario
