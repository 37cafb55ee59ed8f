#include "models/training/step_times.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

namespace vgsim::training {
namespace {

struct Span {
  SimTime begin{};
  SimTime end{};
};
using Spans = std::vector<Span>;

/// Sorts spans and merges overlaps.
Spans merged(Spans spans) {
  std::sort(spans.begin(), spans.end(),
            [](const Span& a, const Span& b) { return a.begin < b.begin; });
  Spans result;
  for (const Span& span : spans) {
    if (span.begin >= span.end) continue;
    if (!result.empty() && span.begin <= result.back().end) {
      result.back().end = std::max(result.back().end, span.end);
    } else {
      result.push_back(span);
    }
  }
  return result;
}

/// Returns the parts of `spans` inside and outside `by`. Both are sorted and free of overlaps.
std::pair<Spans, Spans> cut(const Spans& spans, const Spans& by) {
  std::pair<Spans, Spans> parts;
  std::size_t i = 0;
  for (const Span& span : spans) {
    while (i < by.size() && by[i].end <= span.begin) ++i;
    SimTime at = span.begin;
    for (std::size_t k = i; k < by.size() && by[k].begin < span.end; ++k) {
      if (by[k].begin > at) parts.second.push_back({at, by[k].begin});
      const SimTime from = std::max(at, by[k].begin);
      at = std::min(span.end, by[k].end);
      parts.first.push_back({from, at});
    }
    if (at < span.end) parts.second.push_back({at, span.end});
  }
  return parts;
}

SimTime length(const Spans& spans) {
  SimTime sum{};
  for (const Span& span : spans) sum += span.end - span.begin;
  return sum;
}

/// Precedence of axes for concurrent exchanges.
constexpr std::array kOrder = {Axis::kTensor,  Axis::kContext,    Axis::kExpert,
                               Axis::kReplica, Axis::kShard,      Axis::kReshard,
                               Axis::kData,    Axis::kExpertData, Axis::kPipeline};

/// Reads iterations by their distance from the last one.
class Reader {
 public:
  /// `only`: the single unit that will be read, if there is one.
  Reader(const TrainingGraph& training, const Timeline& timeline, std::optional<std::size_t> only)
      : training_(training), timeline_(timeline) {
    traffic_of_.resize(training.units.size());
    for (std::size_t t = 0; t < training.traffic.size(); ++t) {
      for (const std::size_t u : training.traffic[t].units) {
        if (!only || u == *only) traffic_of_[u].push_back(t);
      }
    }
  }

  /// Returns nothing if the beginning of the iteration was not kept.
  [[nodiscard]] std::optional<Breakdown> read(std::size_t u, std::uint64_t back) const {
    const TaskRecord* end = timeline_.find(training_.end_of(u), back);
    const auto begin = begin_of(u, back);
    if (end == nullptr || !begin) return std::nullopt;
    Breakdown result;
    result.total = end->end - *begin;
    const Spans passes = passes_of(u, back);
    result.compute = length(passes);
    const TaskSpan& tasks = training_.units[u].optimizer;
    const Span optimizer{timeline_.find(tasks.begin, back)->ready,
                         timeline_.find(tasks.end, back)->end};
    result.optimizer = optimizer.end - optimizer.begin;
    Spans busy = passes;
    busy.push_back(optimizer);
    Spans idle = cut({{*begin, end->end}}, merged(std::move(busy))).second;
    for (const Axis axis : kOrder) {
      auto [exposed, rest] = cut(idle, traffic(u, back, axis));
      if (const SimTime time = length(exposed); time > SimTime{0}) result.exposed[axis] += time;
      idle = std::move(rest);
    }
    result.waiting = length(idle);
    result.data_wait = std::min(result.waiting, waited_for_data(u, back));
    result.waiting -= result.data_wait;
    return result;
  }

  /// Whether the iteration was kept and is not the first of the run.
  [[nodiscard]] bool is_later(std::size_t u, std::uint64_t back) const {
    return timeline_.find(training_.end_of(u), back + 1) != nullptr;
  }

  [[nodiscard]] std::optional<SimTime> begin_of(std::size_t u, std::uint64_t back) const {
    if (const TaskRecord* before = timeline_.find(training_.end_of(u), back + 1)) {
      return before->end;
    }
    const bool first = back + 1 == timeline_.iterations;
    return first ? std::optional(SimTime{0}) : std::nullopt;
  }

  [[nodiscard]] SimTime hidden(std::size_t u) const {
    Spans all;
    for (const std::size_t t : traffic_of_[u]) all.push_back(on_its_way(training_.traffic[t]));
    return length(cut(passes_of(u, 0), merged(std::move(all))).first);
  }

 private:
  [[nodiscard]] Spans passes_of(std::size_t u, std::uint64_t back) const {
    Spans spans;
    for (const TaskId task : training_.units[u].passes) {
      const TaskRecord& record = *timeline_.find(task, back);
      spans.push_back({record.ready, record.end});
    }
    return merged(std::move(spans));
  }

  [[nodiscard]] Spans traffic(std::size_t u, std::uint64_t back, Axis axis) const {
    Spans spans;
    for (const std::size_t t : traffic_of_[u]) {
      const Traffic& traffic = training_.traffic[t];
      if (traffic.exchange.axis != axis) continue;
      spans.push_back({timeline_.find(traffic.tasks.begin, back)->ready,
                       timeline_.find(traffic.tasks.end, back)->end});
    }
    return merged(std::move(spans));
  }

  /// Without a barrier, launch time does not count as traffic.
  [[nodiscard]] Span on_its_way(const Traffic& traffic) const {
    const TaskRecord& begin = timeline_.task(traffic.tasks.begin);
    return {training_.barrier ? begin.ready : begin.end, timeline_.task(traffic.tasks.end).end};
  }

  /// With a barrier, all units wait for the unit of the first stage whose batch arrived last.
  [[nodiscard]] SimTime waited_for_data(std::size_t unit, std::uint64_t back) const {
    if (!training_.barrier) return unit_waited_for_data(unit, back);
    SimTime longest{};
    for (std::size_t u = 0; u < training_.units.size(); ++u) {
      longest = std::max(longest, unit_waited_for_data(u, back));
    }
    return longest;
  }

  [[nodiscard]] SimTime unit_waited_for_data(std::size_t u, std::uint64_t back) const {
    const TaskRecord& first = *timeline_.find(training_.units[u].begin, back);
    const auto begin = begin_of(u, back);
    if (first.last_dependency == kNoTask || !begin || first.ready <= *begin) return SimTime{0};
    const bool fetched =
        is_input(static_cast<Activity>(training_.graph.category(first.last_dependency)));
    return fetched ? first.ready - *begin : SimTime{0};
  }

  const TrainingGraph& training_;
  const Timeline& timeline_;
  std::vector<std::vector<std::size_t>>
      traffic_of_;  ///< by unit: indices into TrainingGraph::traffic
};

/// Mean of the last iterations, at most `most` of them.
Breakdown mean_of(const Reader& reader, std::size_t unit, std::uint64_t most) {
  Breakdown sum;
  std::int64_t count = 0;
  for (std::uint64_t back = 0; back < most; ++back) {
    if (back > 0 && !reader.is_later(unit, back)) break;
    const Breakdown one = *reader.read(unit, back);
    sum.data_wait += one.data_wait;
    sum.compute += one.compute;
    for (const auto& [axis, time] : one.exposed) sum.exposed[axis] += time;
    sum.waiting += one.waiting;
    sum.optimizer += one.optimizer;
    ++count;
  }
  const auto add = [&](SimTime& part) {
    part = SimTime{part.count() / count};
    sum.total += part;
  };
  for (SimTime* part : {&sum.data_wait, &sum.compute, &sum.waiting, &sum.optimizer}) add(*part);
  for (auto& [axis, time] : sum.exposed) add(time);
  return sum;
}

/// Breakdown of the last iteration that took as long as the repeating ones, or as the one before it
/// if no repetition was detected. At the end of a run nothing is prefetched that could compete with
/// gradients for a link.
Breakdown steady_one(const Reader& reader, const Timeline& timeline, std::size_t unit) {
  Breakdown last = *reader.read(unit, 0);
  const bool repeats = timeline.repeat.count > 0;
  if (repeats && timeline.repeat.iterations != 1) return last;
  std::optional<Breakdown> later;
  for (std::uint64_t back = 0; reader.is_later(unit, back); ++back) {
    Breakdown one = *reader.read(unit, back);
    if (repeats && one.total == timeline.repeat.time) return one;
    if (!repeats && later && later->total == one.total) return *later;
    later = std::move(one);
  }
  return last;
}

/// Compute time of a unit in the last iteration.
SimTime computes(const TrainingGraph& training, const Timeline& timeline, std::size_t unit) {
  SimTime sum{};
  for (const TaskId task : training.units[unit].passes) {
    sum += timeline.task(task).end - timeline.task(task).ready;
  }
  return sum;
}

std::size_t last_unit(const TrainingGraph& training, const Timeline& timeline) {
  std::size_t unit = 0;
  std::optional<std::pair<SimTime, SimTime>> last;  // end and compute time of the last pass
  for (std::size_t u = 0; u < training.units.size(); ++u) {
    const std::pair one{timeline.task(training.units[u].end).end,
                        training.barrier ? computes(training, timeline, u) : SimTime{0}};
    if (last && one <= *last) continue;
    last = one;
    unit = u;
  }
  return unit;
}

/// Iterations that repeat in groups alternate: the mean of the group if it was kept, else the last
/// one.
Breakdown breakdown_of(const Reader& reader, const TrainingGraph& training,
                       const Timeline& timeline, std::size_t unit, bool mean) {
  if (mean) return mean_of(reader, unit, std::numeric_limits<std::uint64_t>::max());
  if (training.barrier) return *reader.read(unit, 0);
  const std::uint64_t group = timeline.repeat.count > 0 ? timeline.repeat.iterations : 1;
  const bool kept = timeline.find(training.end_of(unit), group) != nullptr;
  if (group > 1 && kept) return mean_of(reader, unit, group);
  return steady_one(reader, timeline, unit);
}

}  // namespace

StepTimes read_step_times(const TrainingGraph& training, const Timeline& timeline, bool mean,
                          std::optional<std::size_t> wanted) {
  StepTimes times;
  times.unit = wanted ? *wanted : last_unit(training, timeline);
  const Reader reader(training, timeline,
                      training.barrier ? std::nullopt : std::optional(times.unit));
  const TaskId end = training.end_of(times.unit);
  times.first = timeline.first_end(end);
  times.steady_begin = reader.begin_of(times.unit, 0).value_or(SimTime{0});
  times.steady_end = timeline.task(end).end;
  times.breakdown = breakdown_of(reader, training, timeline, times.unit, mean);
  times.steady = times.breakdown.total;
  times.hidden.resize(training.units.size());
  for (std::size_t u = 0; u < training.units.size(); ++u) {
    if (training.barrier || u == times.unit) times.hidden[u] = reader.hidden(u);
  }
  times.critical_path = vgsim::critical_path(timeline, end, times.steady_begin);
  return times;
}

SimTime Extrapolation::of(SimTime shorter, SimTime longer) const {
  const std::int64_t difference = (longer - shorter).count();
  return longer + SimTime{difference / between * more + difference % between * more / between};
}

StepTimes extrapolated(const StepTimes& shorter, const StepTimes& longer, const Extrapolation& by) {
  StepTimes times = longer;
  const Breakdown& before = shorter.breakdown;
  Breakdown& parts = times.breakdown;
  times.first = by.of(shorter.first, longer.first);
  parts.data_wait = by.of(before.data_wait, parts.data_wait);
  parts.compute = by.of(before.compute, parts.compute);
  parts.waiting = by.of(before.waiting, parts.waiting);
  parts.optimizer = by.of(before.optimizer, parts.optimizer);
  for (const auto& [axis, time] : before.exposed) parts.exposed.try_emplace(axis, SimTime{0});
  SimTime* largest = &parts.waiting;
  for (auto& [axis, time] : parts.exposed) {
    const auto known = before.exposed.find(axis);
    time = by.of(known == before.exposed.end() ? SimTime{0} : known->second, time);
    if (time > *largest) largest = &time;
  }
  // Extrapolated times are not negative.
  const auto bound = [&](SimTime& time) {
    if (time >= SimTime{0}) return;
    *largest += time;
    time = SimTime{0};
  };
  bound(parts.waiting);
  for (auto& [axis, time] : parts.exposed) bound(time);
  parts.total = parts.data_wait + parts.compute + parts.waiting + parts.optimizer;
  for (const auto& [axis, time] : parts.exposed) parts.total += time;
  times.steady = parts.total;
  for (std::size_t u = 0; u < times.hidden.size(); ++u) {
    times.hidden[u] = by.of(shorter.hidden[u], longer.hidden[u]);
  }
  return times;
}

}  // namespace vgsim::training
