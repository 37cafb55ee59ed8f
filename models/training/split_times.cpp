#include "models/training/split_times.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>

namespace vgsim::training {
namespace {

struct Span {
  SimTime begin{};
  SimTime end{};
};
using Spans = std::vector<Span>;

/// In order, without overlaps.
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

/// Parts of `spans` inside `by`, and those outside. Both are in order, without overlaps.
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

/// Of those that an axis shares, the first that a wait is put down to.
constexpr std::array kOrder = {Axis::kTensor,  Axis::kContext,    Axis::kExpert,
                               Axis::kReplica, Axis::kShard,      Axis::kReshard,
                               Axis::kData,    Axis::kExpertData, Axis::kPipeline};

class Reader {
 public:
  Reader(const SplitGraph& split, const Timeline& timeline) : split_(split), timeline_(timeline) {
    traffic_of_.resize(split.units.size());
    for (std::size_t t = 0; t < split.traffic.size(); ++t) {
      for (const std::size_t u : split.traffic[t].units) traffic_of_[u].push_back(t);
    }
  }

  /// The iteration that lies `back` before the last; nothing where its begin was not kept.
  [[nodiscard]] std::optional<UnitBreakdown> read(std::size_t u, std::uint64_t back) const {
    const UnitStep& unit = split_.units[u];
    const TaskRecord* end = timeline_.find(split_.end, back);
    const auto begin = begin_of(back);
    if (end == nullptr || !begin) return std::nullopt;
    UnitBreakdown result;
    result.total = end->end - *begin;
    const Spans passes = passes_of(u, back);
    result.compute = length(passes);
    const TaskRecord& optimizer = *timeline_.find(unit.optimizer, back);
    result.optimizer = optimizer.end - optimizer.ready;
    Spans busy = passes;
    busy.push_back({optimizer.ready, optimizer.end});
    Spans idle = cut({{*begin, end->end}}, merged(std::move(busy))).second;
    for (const Axis axis : kOrder) {
      auto [exposed, rest] = cut(idle, traffic(u, back, axis));
      if (const SimTime time = length(exposed); time > SimTime{0}) result.exposed[axis] += time;
      idle = std::move(rest);
    }
    result.waiting = length(idle);
    result.data_wait = std::min(result.waiting, waited_for_data(back));
    result.waiting -= result.data_wait;
    return result;
  }

  [[nodiscard]] std::optional<SimTime> begin_of(std::uint64_t back) const {
    if (const TaskRecord* before = timeline_.find(split_.end, back + 1)) {
      return before->end;
    }
    const bool first = back + 1 == timeline_.iterations;
    return first ? std::optional(SimTime{0}) : std::nullopt;
  }

  [[nodiscard]] SimTime hidden(std::size_t u) const {
    Spans all;
    for (const Axis axis : kOrder) {
      const Spans own = traffic(u, 0, axis);
      all.insert(all.end(), own.begin(), own.end());
    }
    return length(cut(passes_of(u, 0), merged(std::move(all))).first);
  }

 private:
  [[nodiscard]] Spans passes_of(std::size_t u, std::uint64_t back) const {
    Spans spans;
    for (const TaskId task : split_.units[u].passes) {
      const TaskRecord& record = *timeline_.find(task, back);
      spans.push_back({record.ready, record.end});
    }
    return merged(std::move(spans));
  }

  [[nodiscard]] Spans traffic(std::size_t u, std::uint64_t back, Axis axis) const {
    Spans spans;
    for (const std::size_t t : traffic_of_[u]) {
      const Traffic& traffic = split_.traffic[t];
      if (traffic.axis != axis) continue;
      spans.push_back({timeline_.find(traffic.tasks.begin, back)->ready,
                       timeline_.find(traffic.tasks.end, back)->end});
    }
    return merged(std::move(spans));
  }

  /// By the unit of the first stage whose batch came last: all others wait for it.
  [[nodiscard]] SimTime waited_for_data(std::uint64_t back) const {
    SimTime longest{};
    for (std::size_t u = 0; u < split_.units.size(); ++u) {
      const TaskRecord& first = *timeline_.find(split_.units[u].passes.front(), back);
      const auto begin = begin_of(back);
      if (first.last_dependency == kNoTask || !begin || first.ready <= *begin) continue;
      if (is_input(static_cast<Activity>(split_.graph.category(first.last_dependency)))) {
        longest = std::max(longest, first.ready - *begin);
      }
    }
    return longest;
  }

  const SplitGraph& split_;
  const Timeline& timeline_;
  std::vector<std::vector<std::size_t>> traffic_of_;  ///< by unit: into SplitGraph::traffic
};

UnitBreakdown mean(const Reader& reader, std::size_t unit) {
  UnitBreakdown sum;
  std::int64_t count = 0;
  for (std::uint64_t back = 0;; ++back) {
    const auto one = reader.read(unit, back);
    if (!one || (back > 0 && !reader.read(unit, back + 1))) break;
    sum.data_wait += one->data_wait;
    sum.compute += one->compute;
    for (const auto& [axis, time] : one->exposed) sum.exposed[axis] += time;
    sum.waiting += one->waiting;
    sum.optimizer += one->optimizer;
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

}  // namespace

SplitTimes read_split_times(const SplitGraph& split, const Timeline& timeline, bool is_mean,
                            std::optional<std::size_t> wanted) {
  const Reader reader(split, timeline);
  SplitTimes times;
  std::optional<std::pair<SimTime, SimTime>> last;  // its end, and how long it computes
  for (std::size_t u = 0; u < split.units.size(); ++u) {
    SimTime computes{};
    for (const TaskId task : split.units[u].passes) {
      computes += timeline.task(task).end - timeline.task(task).ready;
    }
    const std::pair one{timeline.task(split.units[u].end).end, computes};
    if (last && one <= *last) continue;
    last = one;
    times.unit = u;
  }
  times.unit = wanted.value_or(times.unit);
  times.first = timeline.first_end(split.end);
  times.steady_begin = reader.begin_of(0).value_or(SimTime{0});
  times.steady_end = timeline.task(split.end).end;
  times.breakdown = is_mean ? mean(reader, times.unit) : *reader.read(times.unit, 0);
  times.steady = times.breakdown.total;
  for (std::size_t u = 0; u < split.units.size(); ++u) times.hidden.push_back(reader.hidden(u));
  times.critical_path = vgsim::critical_path(timeline, split.end, times.steady_begin);
  return times;
}

SimTime Prolongation::of(SimTime shorter, SimTime longer) const {
  const std::int64_t difference = (longer - shorter).count();
  return longer + SimTime{difference / between * more + difference % between * more / between};
}

SplitTimes prolonged(const SplitTimes& shorter, const SplitTimes& longer, const Prolongation& by) {
  SplitTimes times = longer;
  const UnitBreakdown& before = shorter.breakdown;
  UnitBreakdown& parts = times.breakdown;
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
  // What hides ever better behind what waits ever longer does not become less than nothing.
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
