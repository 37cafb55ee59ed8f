#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "models/questions/check/finding.hpp"
#include "models/questions/check/layout_figures.hpp"
#include "models/scenario/read/document.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/value.hpp"

namespace vgsim::scenario {

/// What came of the expectations of a scenario.
struct Judged {
  std::size_t expectations = 0;   ///< how many were looked at
  std::vector<Finding> findings;  ///< those that do not hold, in the order of layouts
};

/// Holds the layouts of a scenario against its "expect", which fits expect_shape().
///
/// Keys name layouts; a key that names none is a pattern for several ("*"), and what it says of
/// something goes behind what a layout's own entry says of the same. Of each:
///   a figure           {"value": "268 ms", "tolerance": "2 %"}, {"min": ...}, {"max": ...};
///                      a layout that is refused has none, so that these fail
///   "bottleneck"       {"is": "nic"}, {"is_not": ...}
///   "refused"          true or false; where a layout's own entry says true, what patterns say of
///                      figures and the bottleneck does not concern it
///   "refused_by", "warns", "does_not_warn"   ids of rules
///   "faster_than"      other layouts: by samples a second; of collectives by the time of the
///                      largest size that both have
/// `left_out` are layouts of which nothing is known: what is expected of them, or that others are
/// faster than they are, is not looked at. `rules` are the ids of all rules. Errors: names of
/// layouts, figures and rules that there are not (a figure that no layout has), a kind of value
/// that does not belong there, unreadable figures.
[[nodiscard]] Judged judge_expectations(const Document& document,
                                        const std::vector<LayoutFigures>& layouts,
                                        const std::vector<std::string>& left_out,
                                        const std::vector<std::string>& rules,
                                        input::Diagnostics& diagnostics);

}  // namespace vgsim::scenario
