#include "models/scoring/fit/subject_predictor.hpp"

#include <cmath>
#include <stdexcept>

#include "models/scenario/answer/parallel_for.hpp"

namespace vgsim::scenario {

using Eigen::Index;
using Eigen::MatrixXd;
using input::Diagnostics;

std::vector<Observations> SubjectPredictor::observe(const std::vector<ParameterValues>& changes,
                                                    Diagnostics& diagnostics) const {
  using Outcome = tl::expected<Observations, Diagnostics>;
  std::vector<Library> libraries;
  for (const ParameterValues& changed : changes) {
    libraries.push_back(library_);
    libraries.back().parameters = library_.parameters.with(changed, "fit");
  }
  std::vector<Outcome> outcomes(changes.size() * subjects_.size());
  parallel_for(outcomes.size(), [&](std::size_t o) {
    outcomes[o] = subjects_[o % subjects_.size()]->observe(libraries[o / subjects_.size()]);
  });
  std::vector<Observations> all(changes.size());
  for (std::size_t o = 0; o < outcomes.size(); ++o) {
    if (outcomes[o]) {
      Observations& own = all[o / subjects_.size()];
      own.insert(own.end(), outcomes[o]->begin(), outcomes[o]->end());
    } else {
      diagnostics.append(outcomes[o].error());
    }
  }
  return all;
}

std::vector<Observations> SubjectPredictor::observe(
    const std::vector<ParameterValues>& changes) const {
  Diagnostics diagnostics;
  auto all = observe(changes, diagnostics);
  if (diagnostics.has_errors()) {
    throw std::logic_error("a subject of a fit runs only with some parameters: " +
                           input::render(diagnostics));
  }
  return all;
}

MatrixXd SubjectPredictor::logs(const std::vector<ParameterValues>& changes) const {
  const auto all = observe(changes);
  MatrixXd result(static_cast<Index>(all.front().size()), static_cast<Index>(changes.size()));
  for (std::size_t c = 0; c < all.size(); ++c) {
    for (std::size_t p = 0; p < all[c].size(); ++p) {
      result(static_cast<Index>(p), static_cast<Index>(c)) = std::log(all[c][p].predicted_s);
    }
  }
  return result;
}

}  // namespace vgsim::scenario
