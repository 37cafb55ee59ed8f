#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "models/questions/advise/advice.hpp"
#include "models/scenario/answer/metrics.hpp"
#include "tools/studio/studio.hpp"

namespace vgsim::studio {

/// Figures to trade, and controls to vary.
struct SearchRequest {
  std::vector<std::string> figures;  ///< names of two figures of a result: "epoch_time_s", "hosts"
  std::vector<std::string> vary;     ///< ids of controls
};

/// A Pareto-optimal change in the two figures.
struct AdvisedChange {
  Change change;  ///< of the scenario at the begin of the search
  std::vector<double> figures;
};

/// Result of a search.
struct Advised {
  std::vector<scenario::Metric> figures;  ///< the traded ones; values: before any change
  std::vector<AdvisedChange> best;        ///< by the first figure, the best one first
  std::vector<std::vector<double>> ran;   ///< figures of all that ran, including the best
  std::uint64_t space = 0;                ///< number of combinations
  std::uint64_t simulated = 0;
  std::map<std::string, std::uint64_t> refused_by;  ///< combinations, by rule
};

/// The search of `vgsim advise` over steps and choices of the panel's controls, from the
/// present scenario. It shares no mutable state, so that it can run on another thread.
class AdviceSearch {
 public:
  /// The error describes unknown figures or controls, or that nothing can vary.
  [[nodiscard]] static tl::expected<AdviceSearch, std::string> make(const Studio& studio,
                                                                    const SearchRequest& request);

  /// Most combinations that are simulated.
  [[nodiscard]] std::uint64_t most() const;

  /// Nothing if it was cut off, by `cut` or between two of `parts`, from which the next call goes
  /// on.
  [[nodiscard]] std::optional<Advised> run(const Overtaken& cut,
                                           const scenario::AdviceProgress& progress,
                                           scenario::ComputedParts* parts = nullptr) const;

 private:
  AdviceSearch(const Studio& studio, scenario::Document base)
      : library_(&studio.library()), load_(studio.loader()), base_(std::move(base)) {}

  [[nodiscard]] Change change_of(std::uint64_t point) const;
  /// A candidate of the same figures in which values without effect are unchanged.
  [[nodiscard]] scenario::Candidate with_least_changed(scenario::Candidate best,
                                                       const scenario::RunSettings& settings,
                                                       scenario::ComputedParts* parts) const;

  const scenario::Library* library_;
  input::FileLoader load_;
  scenario::Document base_;
  scenario::AdviceRequest request_;
  std::vector<scenario::Metric> figures_;
  std::vector<std::vector<Change>> axes_;  ///< as in the grid of the request
};

/// Figures of the answer that can be traded, most important first; none before it has run.
[[nodiscard]] std::vector<scenario::Metric> figures_to_trade(const Studio& studio);

/// The Pareto chart: all that ran, the best ones, and the present scenario.
[[nodiscard]] std::string advice_html(const Advised& advised,
                                      const std::vector<scenario::Metric>& now);

}  // namespace vgsim::studio
