#pragma once

#include <string>
#include <string_view>

#include "topology/input/units/unit_strings.hpp"

namespace vgsim::input {

/// A sentence about a quantity with a missing or unknown unit: what was expected, and the possible
/// units, each with its value. `number` is the valid decimal before it; if that is missing, `unit`
/// is the whole text.
[[nodiscard]] std::string explain_unit(UnitKind kind, std::string_view number,
                                       std::string_view unit);

}  // namespace vgsim::input
