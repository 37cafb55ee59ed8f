#include "models/scenario/run/iteration_window.hpp"

#include <algorithm>
#include <utility>

namespace vgsim::scenario {
namespace {

void append(std::vector<Span>& spans, Span span) {
  if (span.begin >= span.end) return;
  if (!spans.empty() && spans.back().end == span.begin && spans.back().kind == span.kind &&
      spans.back().what == span.what) {
    spans.back().end = span.end;
  } else {
    spans.push_back(std::move(span));
  }
}

}  // namespace

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

void IterationWindow::add(std::vector<Span>& spans, SimTime from, SimTime to, const char* kind,
                          std::string what) const {
  append(spans, {std::max(from, begin) - begin, std::min(to, end) - begin, kind, std::move(what)});
}

void IterationWindow::add_shifted(std::vector<Span>& spans, const TaskRecord& task,
                                  const char* kind) const {
  const SimTime length = end - begin;
  if (length <= SimTime{0} || task.end - task.flow_begin >= length) {
    append(spans, {SimTime{0}, length, kind, ""});
    return;
  }
  const auto shifted = [&](SimTime time) {
    const std::int64_t rest = (time - begin).count() % length.count();
    return SimTime{rest < 0 ? rest + length.count() : rest};
  };
  const SimTime from = shifted(task.flow_begin);
  const SimTime to = from + (task.end - task.flow_begin);
  append(spans, {from, std::min(to, length), kind, ""});
  if (to > length) append(spans, {SimTime{0}, to - length, kind, ""});
}

}  // namespace vgsim::scenario
