#include "models/scenario/run/iteration_reader.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "models/scenario/run/iteration_window.hpp"
#include "models/scenario/run/run.hpp"
#include "sim/critical_path.hpp"
#include "topology/input/units/unit_strings.hpp"

namespace vgsim::scenario {
namespace {

using training::Activity;

constexpr const char* kGradients = "gradients";

class StepReader {
 public:
  explicit StepReader(const RanStep& ran)
      : ran_(ran),
        begin_(ran.times.steady_begin),
        end_(ran.times.steady_end),
        window_{begin_, end_} {}

  IterationRecord read() {
    IterationRecord record{end_ - begin_, {}, {}};
    const std::size_t lanes = std::min(ran_.ranks.size(), kMostLanes);
    for (std::size_t r = 0; r < lanes; ++r) record.lanes.push_back(computing(r));
    for (std::size_t r = 0; r < lanes; ++r) {
      Lane lane = input(r);
      if (!lane.spans.empty()) record.lanes.push_back(std::move(lane));
    }
    Lane lane = gradients();
    if (!lane.spans.empty()) record.lanes.push_back(std::move(lane));
    record.critical_path = path();
    return record;
  }

 private:
  [[nodiscard]] Activity activity(TaskId task) const {
    return static_cast<Activity>(ran_.training.graph.category(task));
  }

  Lane computing(std::size_t rank) const {
    Lane lane{rank_name(ran_.placement, ran_.ranks[rank]), ran_.ranks[rank].count, {}};
    const training::RankStep& step = ran_.training.steps[rank];
    const TaskRecord& forward = ran_.timeline.task(step.forward);
    const TaskRecord& backward = ran_.timeline.task(step.last_backward);
    const TaskRecord& optimizer = ran_.timeline.task(step.optimizer);
    window_.add(lane.spans, begin_, forward.ready, "waiting for data", "");
    window_.add(lane.spans, forward.ready, forward.end, training::to_string(Activity::kForward),
                "");
    window_.add(lane.spans, forward.end, backward.end, training::to_string(Activity::kBackward),
                "");
    window_.add(lane.spans, backward.end, optimizer.ready, "waiting for gradients", "");
    window_.add(lane.spans, optimizer.ready, optimizer.end,
                training::to_string(Activity::kOptimizer), "");
    return lane;
  }

  Lane input(std::size_t rank) const {
    Lane lane{rank_name(ran_.placement, ran_.ranks[rank]) + " input", ran_.ranks[rank].count, {}};
    const TaskGraph& graph = ran_.training.graph;
    for (std::size_t i = 0; i < graph.size(); ++i) {
      const auto task = static_cast<TaskId>(i);
      const Activity what = activity(task);
      if (!training::is_input(what) || graph.subject(task) != rank) continue;
      window_.add_shifted(lane.spans, ran_.timeline.task(task), training::to_string(what));
    }
    sort_spans(lane);
    return lane;
  }

  /// "bucket 3 of 25 MiB": which reduction a task belongs to.
  [[nodiscard]] std::string bucket_words(std::size_t bucket) const {
    return fmt::format("bucket {} of {}, {}", bucket + 1, ran_.plan.buckets.size(),
                       input::format_bytes(ran_.plan.buckets[bucket].size));
  }

  [[nodiscard]] std::string reduction_of(TaskId task) const {
    const auto& reduced = ran_.training.reduced;
    for (std::size_t b = 0; b < reduced.size(); ++b) {
      if (task <= reduced[b].end) return bucket_words(b);
    }
    return "exchange of sharded layers";
  }

  Lane gradients() const {
    Lane lane{kGradients, 0, {}};
    for (std::size_t b = 0; b < ran_.training.reduced.size(); ++b) {
      const auto& tasks = ran_.training.reduced[b];
      window_.add(lane.spans, ran_.timeline.task(tasks.begin).ready,
                  ran_.timeline.task(tasks.end).end, kGradients, bucket_words(b));
    }
    if (ran_.plan.exchanged > Bytes{0}) add_exchange(lane);
    return lane;
  }

  void add_exchange(Lane& lane) const {
    const auto& reduced = ran_.training.reduced;
    const TaskGraph& graph = ran_.training.graph;
    std::optional<SimTime> from;
    SimTime to{};
    for (std::size_t i = 0; i < graph.size(); ++i) {
      const auto task = static_cast<TaskId>(i);
      if (activity(task) != Activity::kGradients) continue;
      if (!reduced.empty() && task <= reduced.back().end) continue;
      const TaskRecord& record = ran_.timeline.task(task);
      from = std::min(from.value_or(record.ready), record.ready);
      to = std::max(to, record.end);
    }
    if (from) window_.add(lane.spans, *from, to, kGradients, "exchange of sharded layers");
  }

  [[nodiscard]] std::vector<PathStep> path() const {
    std::vector<PathStep> path;
    for (const PathSegment& segment : ran_.times.critical_path) {
      PathStep step{std::max(segment.begin, begin_) - begin_,
                    std::min(segment.end, end_) - begin_,
                    training::to_string(activity(segment.task)),
                    "",
                    "",
                    ""};
      step.what =
          activity(segment.task) == Activity::kGradients
              ? reduction_of(segment.task)
              : rank_name(ran_.placement, ran_.ranks[ran_.training.graph.subject(segment.task)]);
      if (segment.resource) {
        step.resource = link_name(ran_.placement, ran_.network, *segment.resource);
        step.resource_kind = topology::to_string(ran_.network.kind(*segment.resource));
      }
      append(path, std::move(step));
    }
    return path;
  }

  const RanStep& ran_;
  SimTime begin_;
  SimTime end_;
  IterationWindow window_;
};

}  // namespace

IterationRecord read_iteration(const RanStep& ran) { return StepReader(ran).read(); }

}  // namespace vgsim::scenario
