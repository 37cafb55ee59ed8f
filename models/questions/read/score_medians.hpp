#pragma once

#include <map>
#include <string>
#include <tl/expected.hpp>

#include "models/questions/score/score.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/shapes/shape.hpp"
#include "topology/input/source_file.hpp"

namespace vgsim::scenario {

inline constexpr const char* kScoreFormat = "vgsim.score/1";

/// The median |error| of each part of a score: "bands/small/one_node", "classes/nvswitch",
/// "cases/ID".
using Medians = std::map<std::string, double>;

[[nodiscard]] std::string band_key(Band band, Nodes nodes);
[[nodiscard]] std::string class_key(const std::string& topology_class);
[[nodiscard]] std::string case_key(const std::string& id);

[[nodiscard]] input::Shape score_shape();

/// Reads the medians of a stored score, strictly.
[[nodiscard]] tl::expected<Medians, input::Diagnostics> read_medians(const input::SourcePtr& file);

}  // namespace vgsim::scenario
