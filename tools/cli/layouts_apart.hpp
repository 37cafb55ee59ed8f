#pragma once

#include <string>
#include <vector>

#include "models/scenario/read/library.hpp"
#include "tools/cli/scenario_input.hpp"
#include "topology/input/diagnostics.hpp"

namespace vgsim::cli {

/// A scenario in which something is wrong, layout by layout.
struct LayoutsApart {
  std::vector<std::string> good;  ///< layouts without errors; none where all have some
  std::string messages;           ///< what is wrong with the others, each under its name
};

/// `errors` are those of all layouts together: they stand alone where each has the same.
[[nodiscard]] LayoutsApart layouts_apart(const ScenarioInput& input,
                                         const scenario::Library& library,
                                         const input::Diagnostics& errors);

}  // namespace vgsim::cli
