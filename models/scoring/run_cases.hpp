#pragma once

#include <vector>

#include "models/scoring/case_kind.hpp"
#include "models/scoring/series.hpp"
#include "topology/input/diagnostics.hpp"

namespace vgsim::scoring {

/// Predicts the cases, each with its own settings, on all cores. Results are in the order of the
/// cases; those that cannot be run are reported and skipped.
[[nodiscard]] std::vector<ScoredCase> run_cases(const std::vector<Case>& cases,
                                                const std::vector<PredictionSettings>& settings,
                                                input::Diagnostics& diagnostics);

/// One case. An error of the run is an error of the case.
[[nodiscard]] tl::expected<ScoredCase, input::Diagnostics> run_case(
    const Case& measured, const PredictionSettings& settings);

}  // namespace vgsim::scoring
