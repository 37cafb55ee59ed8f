#include "models/questions/advise/pareto.hpp"

#include <algorithm>
#include <utility>

namespace vgsim::scenario {

bool dominates(const std::vector<double>& a, const std::vector<double>& b,
               const std::vector<Objective>& objectives) {
  bool better = false;
  for (std::size_t i = 0; i < objectives.size(); ++i) {
    const double mine = objectives[i].larger ? -a[i] : a[i];
    const double other = objectives[i].larger ? -b[i] : b[i];
    if (mine > other) return false;
    better |= mine < other;
  }
  return better;
}

std::vector<Candidate> pareto_set(std::vector<Candidate> candidates,
                                  const std::vector<Objective>& objectives) {
  std::stable_sort(candidates.begin(), candidates.end(), [&](const auto& a, const auto& b) {
    for (std::size_t i = 0; i < objectives.size(); ++i) {
      if (a.objectives[i] == b.objectives[i]) continue;
      return (a.objectives[i] < b.objectives[i]) != objectives[i].larger;
    }
    return a.point < b.point;
  });
  // A dominating candidate is sorted before the dominated one.
  std::vector<Candidate> best;
  for (Candidate& each : candidates) {
    const bool beaten = std::any_of(best.begin(), best.end(), [&](const Candidate& other) {
      return other.objectives == each.objectives ||
             dominates(other.objectives, each.objectives, objectives);
    });
    if (!beaten) best.push_back(std::move(each));
  }
  return best;
}

}  // namespace vgsim::scenario
