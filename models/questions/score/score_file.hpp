#pragma once

#include <map>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "models/questions/read/bars.hpp"
#include "models/questions/score/score.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/shape.hpp"

namespace vgsim::scenario {

/// The median |error| of each part of a score: "bands/small/one_node", "classes/nvswitch",
/// "cases/ID".
using Medians = std::map<std::string, double>;

[[nodiscard]] std::string band_key(Band band, Nodes nodes);
[[nodiscard]] std::string class_key(const std::string& topology_class);
[[nodiscard]] std::string case_key(const std::string& id);

/// The score as `vgsim.score/1`: JSON with a newline at the end; the same text for the same score.
/// Errors are shares (0.1 is 10 %), times seconds. A part without measured points is null. With
/// the medians of an earlier score each part gets its "change"; `missed` lists bars.
[[nodiscard]] std::string to_json(const std::vector<ScoredCase>& cases,
                                  const std::optional<Medians>& earlier,
                                  const std::vector<MissedBar>& missed);

/// {case id: [time in microseconds, by point]} for every case, as JSON.
[[nodiscard]] std::string predictions_json(const std::vector<ScoredCase>& cases);

[[nodiscard]] input::Shape score_shape();

/// Reads the medians of a stored score, strictly.
[[nodiscard]] tl::expected<Medians, input::Diagnostics> read_medians(const input::SourcePtr& file);

}  // namespace vgsim::scenario
