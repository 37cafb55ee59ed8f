#pragma once

#include <set>
#include <string>
#include <vector>

#include "models/scenario/build/placement.hpp"
#include "models/scenario/run/result.hpp"

namespace vgsim::scenario {

struct Library;

/// What a simulated layout rests on beside its scenario: the parameters that were asked for, what
/// the catalogue says of its GPUs and NICs, and rates and payload shares of the kinds of links that
/// carried something. By name, those of parameters first.
[[nodiscard]] std::vector<UsedInput> inputs_of(const Placement& placement, const Library& library,
                                               const std::set<std::string>& parameters,
                                               const LayoutResult& result);

}  // namespace vgsim::scenario
