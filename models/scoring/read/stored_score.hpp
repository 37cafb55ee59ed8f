#pragma once

#include <tl/expected.hpp>

#include "models/scoring/score_file.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/shapes/shape.hpp"
#include "topology/input/source_file.hpp"

namespace vgsim::scoring {

inline constexpr const char* kScoreFormat = "vgsim.score/2";

/// A stored score, of cases of any kind.
[[nodiscard]] input::Shape score_shape();

/// Reads the medians of a stored score, strictly.
[[nodiscard]] tl::expected<Medians, input::Diagnostics> read_medians(const input::SourcePtr& file);

}  // namespace vgsim::scoring
