#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "tools/trace/perfetto_fields.hpp"
#include "tools/trace/trace_writer.hpp"

namespace vgsim::trace {

/// Writes the packets of Perfetto's native traces in the order in which they are added, as one
/// sequence.
class PerfettoWriter : public TraceWriter {
 public:
  void process(const TrackPlace& place, std::int32_t pid) override;
  void track(const TrackPlace& place) override;
  void counter(const TrackPlace& place, const std::string& unit) override;
  void event(const TraceEvent& event) override;
  [[nodiscard]] std::string bytes() const override { return bytes_; }

 private:
  void packet(std::optional<std::int64_t> time, perfetto::Packet field, const std::string& content);

  std::string bytes_;
};

}  // namespace vgsim::trace
