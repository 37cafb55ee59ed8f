#pragma once

#include <optional>
#include <string>

#include "models/questions/explain/best_changes.hpp"
#include "models/questions/studies/studies.hpp"
#include "models/scenario/answer/manifest.hpp"
#include "models/scenario/run/result.hpp"
#include "tools/report/page.hpp"

namespace vgsim::report {

/// Content of a report.
struct Report {
  scenario::ScenarioResult result;  ///< with records, pictures and inputs
  scenario::Studies studies;
  std::optional<scenario::BestChange> best;  ///< of the fastest layout
  scenario::Manifest manifest;
  std::string command;       ///< that creates the report again
  bool all_figures = false;  ///< also minor ones of many layouts
};

/// The complete page.
[[nodiscard]] Page page_of(const Report& report);

/// Of a scenario that was not simulated: machines of the layouts, and findings of vSphere's
/// rules.
[[nodiscard]] Page validation_page(const Report& report);

}  // namespace vgsim::report
