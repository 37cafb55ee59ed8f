#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "models/scenario/answer/manifest.hpp"
#include "models/scenario/run/result.hpp"

namespace vgsim::scenario {

/// Whether a file with this "schema" is a result: of this version or the one before, whose keys
/// differ in nothing that is read again.
[[nodiscard]] bool is_result_schema(std::string_view schema);

/// The result as `vgsim.result/2`: indented JSON with a newline at the end; deterministic.
/// "layouts" is keyed by name, in file order. Units are part of the keys: _s seconds, _ps
/// picoseconds, bytes, _GBps 10^9 bytes per second. The manifest makes the result reproducible.
[[nodiscard]] std::string to_json(const ScenarioResult& result,
                                  const std::optional<Manifest>& manifest = std::nullopt);

/// One layout of a result.
[[nodiscard]] nlohmann::ordered_json layout_json(const LayoutResult& layout);

}  // namespace vgsim::scenario
