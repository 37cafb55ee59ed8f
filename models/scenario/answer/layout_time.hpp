#pragma once

#include <cstdint>
#include <optional>

#include "models/scenario/run/result.hpp"

namespace vgsim::scenario {

/// The point of the largest size; there must be one.
[[nodiscard]] const CollectivePoint& largest_point(const CollectiveResult& collective);

/// The time by which layouts are compared: seconds per sample of a training job, or for the largest
/// size of a collective. Nothing for a layout that was not simulated.
[[nodiscard]] std::optional<double> time_of(const LayoutResult& layout);

/// The same over a whole training, including interruptions.
[[nodiscard]] std::optional<double> compared_time(const LayoutResult& layout);

/// Estimated number of events to compute that time again with other values; for a training job
/// those of few iterations, independent of the length of its epoch.
[[nodiscard]] std::uint64_t events_again(const LayoutResult& layout);

}  // namespace vgsim::scenario
