#pragma once

#include <set>
#include <string>
#include <vector>

#include "models/scenario/build/placement.hpp"
#include "models/scenario/run/result.hpp"

namespace vgsim::scenario {

struct Library;

/// The inputs of a simulated layout other than its scenario: the parameters used, catalogue values
/// of its servers, GPUs and NICs, and rates and payload shares of the kinds of links that carried
/// traffic. By name, parameters first.
[[nodiscard]] std::vector<UsedInput> inputs_of(const Placement& placement, const Library& library,
                                               const std::set<std::string>& parameters,
                                               const LayoutResult& result);

}  // namespace vgsim::scenario
