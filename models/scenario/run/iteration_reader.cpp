#include "models/scenario/run/iteration_reader.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "models/scenario/run/run.hpp"
#include "sim/critical_path.hpp"
#include "topology/input/units/unit_strings.hpp"

namespace vgsim::scenario {
namespace {

using training::Activity;

constexpr std::size_t kMostLanes = 64;
constexpr const char* kGradients = "gradients";

/// Adds a span, or prolongs the last one where it goes on with the same.
void append(std::vector<Span>& spans, Span span) {
  if (span.begin >= span.end) return;
  if (!spans.empty() && spans.back().end == span.begin && spans.back().kind == span.kind &&
      spans.back().what == span.what) {
    spans.back().end = span.end;
  } else {
    spans.push_back(std::move(span));
  }
}

void append(std::vector<PathStep>& path, PathStep step) {
  if (step.begin >= step.end) return;
  if (!path.empty() && path.back().kind == step.kind && path.back().what == step.what &&
      path.back().resource == step.resource) {
    path.back().end = step.end;
  } else {
    path.push_back(std::move(step));
  }
}

void sort_spans(Lane& lane) {
  std::stable_sort(lane.spans.begin(), lane.spans.end(), [](const Span& a, const Span& b) {
    return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
  });
}

class StepReader {
 public:
  explicit StepReader(const RanStep& ran)
      : ran_(ran), begin_(ran.times.steady_begin), end_(ran.times.steady_end) {}

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

  /// A stretch of time as the iteration sees it: cut at both its ends.
  void add(std::vector<Span>& spans, SimTime begin, SimTime end, const char* kind,
           std::string what) const {
    append(spans,
           {std::max(begin, begin_) - begin_, std::min(end, end_) - begin_, kind, std::move(what)});
  }

  Lane computing(std::size_t rank) const {
    Lane lane{rank_name(ran_.placement, ran_.ranks[rank]), ran_.ranks[rank].count, {}};
    const training::RankStep& step = ran_.training.steps[rank];
    const TaskRecord& forward = ran_.timeline.task(step.forward);
    const TaskRecord& backward = ran_.timeline.task(step.last_backward);
    const TaskRecord& optimizer = ran_.timeline.task(step.optimizer);
    add(lane.spans, begin_, forward.ready, "waiting for data", "");
    add(lane.spans, forward.ready, forward.end, training::to_string(Activity::kForward), "");
    add(lane.spans, forward.end, backward.end, training::to_string(Activity::kBackward), "");
    add(lane.spans, backward.end, optimizer.ready, "waiting for gradients", "");
    add(lane.spans, optimizer.ready, optimizer.end, training::to_string(Activity::kOptimizer), "");
    return lane;
  }

  /// A time that lies before the iteration stands where that of a later iteration would.
  void add_shifted(std::vector<Span>& spans, const TaskRecord& task, const char* kind) const {
    const SimTime length = end_ - begin_;
    if (length <= SimTime{0} || task.end - task.flow_begin >= length) {
      append(spans, {SimTime{0}, length, kind, ""});
      return;
    }
    const auto shifted = [&](SimTime time) {
      const std::int64_t rest = (time - begin_).count() % length.count();
      return SimTime{rest < 0 ? rest + length.count() : rest};
    };
    const SimTime from = shifted(task.flow_begin);
    const SimTime to = from + (task.end - task.flow_begin);
    append(spans, {from, std::min(to, length), kind, ""});
    if (to > length) append(spans, {SimTime{0}, to - length, kind, ""});
  }

  Lane input(std::size_t rank) const {
    Lane lane{rank_name(ran_.placement, ran_.ranks[rank]) + " input", ran_.ranks[rank].count, {}};
    const TaskGraph& graph = ran_.training.graph;
    for (std::size_t i = 0; i < graph.size(); ++i) {
      const auto task = static_cast<TaskId>(i);
      const Activity what = activity(task);
      const bool feeds = what == Activity::kStorageRead || what == Activity::kDecode ||
                         what == Activity::kHostToDevice;
      if (!feeds || graph.subject(task) != rank) continue;
      add_shifted(lane.spans, ran_.timeline.task(task), training::to_string(what));
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
      add(lane.spans, ran_.timeline.task(tasks.begin).ready, ran_.timeline.task(tasks.end).end,
          kGradients, bucket_words(b));
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
    if (from) add(lane.spans, *from, to, kGradients, "exchange of sharded layers");
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
};

const char* words(std::uint32_t category) {
  using training::PipelineGraph;
  switch (category) {
    case PipelineGraph::kForward:
      return "forward";
    case PipelineGraph::kBackward:
      return "backward";
    case PipelineGraph::kSend:
      return "activations";
    case PipelineGraph::kReduce:
      return kGradients;
    case PipelineGraph::kOptimizer:
      return "optimizer";
    default:
      return "parameters";
  }
}

/// Of each stage what it computes, and what it sends and receives meanwhile.
std::vector<Lane> lanes_of_stages(const training::PipelineGraph& graph, const Timeline& timeline,
                                  std::size_t ranks) {
  using training::PipelineGraph;
  const std::size_t stages = std::min(graph.end.size(), kMostLanes);
  std::vector<Lane> lanes;
  for (const char* name : {"stage {}", "stage {} traffic"}) {
    for (std::size_t s = 0; s < stages; ++s) {
      lanes.push_back({fmt::format(fmt::runtime(name), s + 1), ranks, {}});
    }
  }
  for (std::size_t i = 0; i < graph.graph.size(); ++i) {
    const auto task = static_cast<TaskId>(i);
    const std::size_t stage = graph.graph.subject(task);
    const TaskRecord& ran = timeline.task(task);
    if (stage >= stages || ran.ready >= ran.end) continue;
    const std::uint32_t category = graph.graph.category(task);
    const bool computes = category == PipelineGraph::kForward ||
                          category == PipelineGraph::kBackward ||
                          category == PipelineGraph::kOptimizer;
    lanes[computes ? stage : stages + stage].spans.push_back(
        {ran.ready, ran.end, words(category), ""});
  }
  for (Lane& lane : lanes) sort_spans(lane);
  std::erase_if(lanes, [](const Lane& lane) { return lane.spans.empty(); });
  return lanes;
}

}  // namespace

IterationRecord read_iteration(const RanStep& ran) { return StepReader(ran).read(); }

IterationRecord read_iteration(const training::PipelineGraph& graph, const Timeline& timeline,
                               std::size_t last_stage, std::size_t ranks_of_stage, SimTime slowed) {
  IterationRecord record;
  record.lanes = lanes_of_stages(graph, timeline, ranks_of_stage);
  for (const PathSegment& segment : critical_path(timeline, graph.end[last_stage])) {
    append(record.critical_path,
           {segment.begin, segment.end, words(graph.graph.category(segment.task)),
            fmt::format("stage {}", graph.graph.subject(segment.task) + 1), "", ""});
  }
  const SimTime end = timeline.task(graph.end[last_stage]).end;
  append(record.critical_path,
         {end, end + slowed, kGradients, "traffic that slows kernels down", "", ""});
  record.length = end + slowed;
  return record;
}

}  // namespace vgsim::scenario
