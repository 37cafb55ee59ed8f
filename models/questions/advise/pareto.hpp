#pragma once

#include <vector>

#include "models/questions/advise/advice.hpp"

namespace vgsim::scenario {

/// Whether `a` is as good as `b` in every objective and better in one.
[[nodiscard]] bool dominates(const std::vector<double>& a, const std::vector<double>& b,
                             const std::vector<Objective>& objectives);

/// Those that no other dominates, sorted by the objectives in turn; of equal ones the first.
[[nodiscard]] std::vector<Candidate> pareto_set(std::vector<Candidate> candidates,
                                                const std::vector<Objective>& objectives);

}  // namespace vgsim::scenario
