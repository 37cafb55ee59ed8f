#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "tools/report/report.hpp"
#include "tools/studio/studio.hpp"

namespace vgsim::studio {

/// The answer and the layout that it is compared with, as a report.
[[nodiscard]] report::Report report_of(const Studio& studio);

/// Adds studies that take further simulations: scaling, bandwidths, sensitivity.
void add_studies(const Studio& studio, report::Report& report);

/// The answer for the page: the verdict, figures, and the report's sections as HTML. The kind
/// of host that `focus` belongs to is the first of the machines. Null before anything has run.
[[nodiscard]] nlohmann::ordered_json answer_json(const Studio& studio, const std::string& focus);

/// The tried changes: the time that each saves, or the rule that refuses it.
[[nodiscard]] nlohmann::ordered_json helps_json(const Studio& studio);

}  // namespace vgsim::studio
