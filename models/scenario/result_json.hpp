#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "models/scenario/result.hpp"

namespace vgsim::scenario {

/// The result as `vgsim.result/1`: JSON, indented, with a newline at the end; the same text for
/// the same result. "layouts" is keyed by name, in file order. Units are part of the keys: _s
/// seconds, _ps picoseconds, bytes, _GBps 10^9 bytes per second.
[[nodiscard]] std::string to_json(const ScenarioResult& result);

/// One of its layouts.
[[nodiscard]] nlohmann::ordered_json layout_json(const LayoutResult& layout);

}  // namespace vgsim::scenario
