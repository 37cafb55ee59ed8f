// The span of a step is the one of its kind with the longest common time; of several, that of the
// lane or the description that the step names.

#include "tools/trace/critical_flows.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace vgsim::trace {
namespace {

using scenario::IterationRecord;
using scenario::PathStep;

/// Finds the spans of steps in time order: spans that ended before are passed once.
class SpanFinder {
 public:
  explicit SpanFinder(const IterationRecord& record)
      : record_(record), first_(record.lanes.size(), 0) {}

  std::optional<SpanPlace> span_of(const PathStep& step) {
    std::optional<SpanPlace> best;
    std::pair<SimTime, bool> most{SimTime{0}, false};  // common time, named by the step
    for (std::size_t l = 0; l < record_.lanes.size(); ++l) {
      const auto& [name, ranks, spans] = record_.lanes[l];
      while (first_[l] < spans.size() && spans[first_[l]].end <= step.begin) ++first_[l];
      for (std::size_t s = first_[l]; s < spans.size() && spans[s].begin < step.end; ++s) {
        if (spans[s].kind != step.kind) continue;
        const SimTime common =
            std::min(spans[s].end, step.end) - std::max(spans[s].begin, step.begin);
        const std::pair found{common, spans[s].what == step.what || name == step.what};
        if (common <= SimTime{0} || found <= most) continue;
        most = found;
        best = SpanPlace{l, s};
      }
    }
    return best;
  }

 private:
  const IterationRecord& record_;
  std::vector<std::size_t> first_;  ///< of each lane: the first span that has not ended
};

/// Arrows point forward in time.
bool is_later(const SpanPlace& from, const SpanPlace& to, const IterationRecord& record) {
  const auto begin = [&](const SpanPlace& at) {
    return record.lanes[at.lane].spans[at.span].begin;
  };
  return from != to && begin(from) <= begin(to);
}

}  // namespace

std::vector<Arrow> critical_flows(const IterationRecord& record) {
  std::vector<Arrow> arrows;
  std::optional<SpanPlace> last;
  SpanFinder finder(record);
  for (const PathStep& step : record.critical_path) {
    const auto place = finder.span_of(step);
    if (!place) continue;
    if (last && is_later(*last, *place, record)) arrows.push_back({*last, *place});
    last = place;
  }
  return arrows;
}

}  // namespace vgsim::trace
