#pragma once

#include <cstdint>
#include <optional>

#include "models/scenario/run/result.hpp"

namespace vgsim::scenario {

/// What layouts are compared by: seconds for one sample of a training job, or for the largest size
/// of a collective. Nothing of a layout that was not simulated.
[[nodiscard]] std::optional<double> time_of(const LayoutResult& layout);

/// The same over a whole training, with what interrupts it.
[[nodiscard]] std::optional<double> compared_time(const LayoutResult& layout);

/// About how many events it takes to find that time once more, at other values: of a training job
/// those of few iterations, however many of its epoch were run.
[[nodiscard]] std::uint64_t events_again(const LayoutResult& layout);

}  // namespace vgsim::scenario
