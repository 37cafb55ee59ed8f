#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/scenario/run/iteration_record.hpp"

namespace vgsim::trace {

/// A span of a lane of a record.
struct SpanPlace {
  std::size_t lane = 0;
  std::size_t span = 0;

  friend bool operator==(const SpanPlace&, const SpanPlace&) = default;
};

/// An arrow from a span to the one that waits for it.
struct Arrow {
  SpanPlace from;
  SpanPlace to;
};

/// The critical path over the lanes: an arrow for each of its steps that goes on in another span.
/// Steps without a span in the lanes are skipped.
[[nodiscard]] std::vector<Arrow> critical_flows(const scenario::IterationRecord& record);

}  // namespace vgsim::trace
