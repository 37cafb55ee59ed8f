#pragma once

#include <string>

#include "models/scenario/run/result.hpp"

namespace vgsim::trace {

/// The steady iteration of every layout as a trace for ui.perfetto.dev: native TrackEvents. A
/// layout is a process; below it are a track for its critical path, one for each lane of its
/// record (several where spans overlap without nesting, which the viewer shows as one) with arrows
/// along the critical path, and counters with the mean utilization of the busiest links. Times are
/// nanoseconds from the begin of the iteration; each slice has its exact duration in the annotation
/// "duration_ps". A layout without a record (RunSettings::record) has a single event with the
/// reason.
[[nodiscard]] std::string perfetto_trace(const scenario::ScenarioResult& result);

/// The same in the Trace Event Format (JSON).
[[nodiscard]] std::string json_trace(const scenario::ScenarioResult& result);

/// The content of a trace file of that name: JSON if it ends in ".json", compressed if it ends in
/// ".gz" (".json.gz": both).
[[nodiscard]] std::string trace_file(const scenario::ScenarioResult& result,
                                     const std::string& file);

}  // namespace vgsim::trace
