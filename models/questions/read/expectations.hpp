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

/// The result of a scenario's expectations.
struct Judged {
  std::size_t expectations = 0;   ///< number of checked expectations
  std::vector<Finding> findings;  ///< violated expectations, in the order of layouts
};

/// Compares the layouts of a scenario with its "expect" (of expect_shape()).
///
/// Keys are layouts; a key that names none is a pattern for several ("*"). A layout's own entry
/// overrides patterns. Expectations of a layout:
///   a figure           {"value": "268 ms", "tolerance": "2 %"}, {"min": ...}, {"max": ...};
///                      they fail for a refused layout, which has no figures
///   "bottleneck"       {"is": "nic"}, {"is_not": ...}
///   "refused"          true or false; with true in a layout's own entry, expectations of patterns
///                      for figures and the bottleneck do not apply
///   "refused_by", "warns", "does_not_warn"   ids of rules
///   "faster_than"      other layouts: by samples/s; for collectives by the time of the largest
///                      common size
/// `left_out`: layouts without results; expectations of them, or relative to them, are skipped.
/// `rules`: ids of all rules. Errors: unknown layouts, figures (of any layout) and rules, values of
/// the wrong kind, unreadable figures.
[[nodiscard]] Judged judge_expectations(const Document& document,
                                        const std::vector<LayoutFigures>& layouts,
                                        const std::vector<std::string>& left_out,
                                        const std::vector<std::string>& rules,
                                        input::Diagnostics& diagnostics);

}  // namespace vgsim::scenario
