#pragma once

#include <iosfwd>

#include "tools/cli/new/scenario_request.hpp"

namespace vgsim::scenario {
struct Library;
}

namespace vgsim::cli {

/// Asks for the missing values of the request. An empty answer, or end of input, takes the
/// default; an invalid one is asked again, with the nearest known words.
void ask_for_missing(std::istream& answers, std::ostream& questions,
                     const scenario::Library& library, ScenarioRequest& request);

}  // namespace vgsim::cli
