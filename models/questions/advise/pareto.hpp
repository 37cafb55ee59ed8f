#pragma once

#include <vector>

#include "models/questions/advise/advice.hpp"

namespace vgsim::scenario {

/// Whether `a` is at least as good as `b` in every objective and better in one.
[[nodiscard]] bool dominates(const std::vector<double>& a, const std::vector<double>& b,
                             const std::vector<Objective>& objectives);

/// The non-dominated candidates, sorted lexicographically by the objectives; of equal ones the
/// first.
[[nodiscard]] std::vector<Candidate> pareto_set(std::vector<Candidate> candidates,
                                                const std::vector<Objective>& objectives);

}  // namespace vgsim::scenario
