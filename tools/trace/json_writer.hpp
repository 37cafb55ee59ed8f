#pragma once

#include <map>
#include <string>

#include "tools/trace/trace_writer.hpp"

namespace vgsim::trace {

/// Writes the Trace Event Format, which ui.perfetto.dev, chrome://tracing and scripts read: JSON
/// with an array "traceEvents". Times are microseconds. A track is a thread of its process.
class JsonWriter : public TraceWriter {
 public:
  void process(const TrackPlace& place, std::int32_t pid) override;
  void track(const TrackPlace& place) override;
  void counter(const TrackPlace& place, const std::string& unit) override;
  void event(const TraceEvent& event) override;
  [[nodiscard]] std::string bytes() const override;

 private:
  struct Thread {
    std::int32_t pid = 0;
    std::int32_t tid = 0;
    std::string counter;  ///< its name; empty for other tracks
    std::string unit;
  };

  Thread& add(const TrackPlace& place);
  void arrow(const char* phase, std::uint64_t id, const TraceEvent& event, const Thread& thread);
  void line(const std::string& json);

  std::map<std::uint64_t, Thread> threads_;  ///< by uuid of the track
  std::string lines_;
};

}  // namespace vgsim::trace
