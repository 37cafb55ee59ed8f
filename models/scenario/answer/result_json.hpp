#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "models/scenario/answer/manifest.hpp"
#include "models/scenario/run/result.hpp"

namespace vgsim::scenario {

/// The result as `vgsim.result/1`: JSON, indented, with a newline at the end; the same text for
/// the same result. "layouts" is keyed by name, in file order. Units are part of the keys: _s
/// seconds, _ps picoseconds, bytes, _GBps 10^9 bytes per second. With a manifest the result can be
/// simulated again.
[[nodiscard]] std::string to_json(const ScenarioResult& result,
                                  const std::optional<Manifest>& manifest = std::nullopt);

/// One of its layouts.
[[nodiscard]] nlohmann::ordered_json layout_json(const LayoutResult& layout);

}  // namespace vgsim::scenario
