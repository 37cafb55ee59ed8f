#pragma once

#include <vector>

#include "models/scoring/case_kind.hpp"
#include "models/scoring/series.hpp"
#include "topology/input/diagnostics.hpp"

namespace vgsim::scoring {

/// Predicts the cases, each with its own settings, on as many threads as the machine has. The
/// results are in the order of the cases; those that cannot be run are left out and reported.
[[nodiscard]] std::vector<ScoredCase> run_cases(const std::vector<Case>& cases,
                                                const std::vector<PredictionSettings>& settings,
                                                input::Diagnostics& diagnostics);

/// One case. What stops a run is an error of the case.
[[nodiscard]] tl::expected<ScoredCase, input::Diagnostics> run_case(
    const Case& measured, const PredictionSettings& settings);

}  // namespace vgsim::scoring
