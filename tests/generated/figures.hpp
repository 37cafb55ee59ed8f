#pragma once

#include <vector>

#include "models/scenario/run/result.hpp"
#include "tests/generated/invariants.hpp"

namespace vgsim::generated {

/// What must hold of the figures of one layout by themselves: finite and not negative, shares at
/// most one, parts that add up, points inside their intervals.
void look_at_figures(const scenario::LayoutResult& layout, std::vector<Violation>& found);

/// Compares the layout with its lower bound: no interval may begin below the time of its bytes at
/// line rate. `ideal`: the same layout with ideal links, from which the rates are read.
void look_at_floor(const scenario::LayoutResult& layout, const scenario::LayoutResult& ideal,
                   std::vector<Violation>& found);

}  // namespace vgsim::generated
