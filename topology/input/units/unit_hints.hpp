#pragma once

#include <string>
#include <string_view>

#include "topology/input/units/unit_strings.hpp"

namespace vgsim::input {

/// One sentence on a quantity whose unit is missing or unknown: what was expected, and which units
/// it may have meant, each with its value. `number` is the good decimal in front; if even that is
/// missing, `unit` is the whole text.
[[nodiscard]] std::string explain_unit(UnitKind kind, std::string_view number,
                                       std::string_view unit);

}  // namespace vgsim::input
