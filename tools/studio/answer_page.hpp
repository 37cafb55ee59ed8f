#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "tools/report/report.hpp"
#include "tools/studio/studio.hpp"

namespace vgsim::studio {

/// The answer, and what it is held against, as a report has them.
[[nodiscard]] report::Report report_of(const Studio& studio);

/// Adds what takes more simulations: scaling, bandwidths, sensitivity.
void add_studies(const Studio& studio, report::Report& report);

/// The answer as the page shows it: the verdict, figures, and the report's sections as HTML. Of the
/// machines the kind of host with `focus` comes first, where that names one. Null before anything
/// has run.
[[nodiscard]] nlohmann::ordered_json answer_json(const Studio& studio, const std::string& focus);

/// What was tried to make it faster: what each change saves, or which rule refuses it.
[[nodiscard]] nlohmann::ordered_json helps_json(const Studio& studio);

}  // namespace vgsim::studio
