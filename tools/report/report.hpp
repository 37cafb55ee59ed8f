#pragma once

#include <optional>
#include <string>

#include "models/questions/explain/best_changes.hpp"
#include "models/questions/studies/studies.hpp"
#include "models/scenario/answer/manifest.hpp"
#include "models/scenario/run/result.hpp"
#include "tools/report/page.hpp"

namespace vgsim::report {

/// What a report is made of.
struct Report {
  scenario::ScenarioResult result;  ///< with records, pictures and inputs
  scenario::Studies studies;
  std::optional<scenario::BestChange> best;  ///< of the fastest layout
  scenario::Manifest manifest;
  std::string command;       ///< that makes the report once more
  bool all_figures = false;  ///< minor ones of many layouts, too
};

/// The page that says it all.
[[nodiscard]] Page page_of(const Report& report);

/// Of a scenario that was not simulated: what runs where, and what vSphere says of it.
[[nodiscard]] Page validation_page(const Report& report);

}  // namespace vgsim::report
