#pragma once

#include <nlohmann/json_fwd.hpp>

#include "tools/studio/sources.hpp"

namespace vgsim::scenario {
struct Library;
}

namespace vgsim::studio {

/// A scenario for the gallery: "machines" in words and "svg", its hosts with their GPUs in the
/// colours of their VMs. Both are empty if its first layout cannot be built.
[[nodiscard]] nlohmann::ordered_json card_json(const Opening& opening,
                                               const scenario::Library& library);

}  // namespace vgsim::studio
