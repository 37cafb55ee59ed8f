#pragma once

#include <nlohmann/json_fwd.hpp>

namespace vgsim::input {

/// Moves what stands several times in a JSON Schema (draft-07) to its "definitions" and refers to
/// it there. Accepts the same documents; descriptions, defaults and examples stay where they are.
/// Names of definitions are keys under which they stand: the same for the same schema.
void share_definitions(nlohmann::ordered_json& schema);

}  // namespace vgsim::input
