#pragma once

#include <nlohmann/json_fwd.hpp>

namespace vgsim::input {

/// Moves repeated parts of a JSON Schema (draft-07) to "definitions" and refers to them. Accepts
/// the same documents; descriptions, defaults and examples stay in place. Definitions are named
/// after the keys that use them; deterministic.
void share_definitions(nlohmann::ordered_json& schema);

}  // namespace vgsim::input
