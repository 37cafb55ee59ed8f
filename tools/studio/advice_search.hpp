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

/// What somebody would trade, and what may vary.
struct Wish {
  std::vector<std::string> figures;  ///< two names of figures of a result: "epoch_time_s", "hosts"
  std::vector<std::string> vary;     ///< ids of controls
};

/// A change after which no other one that was tried is better in both figures.
struct AdvisedChange {
  Change change;  ///< of the scenario that the search began with
  std::vector<double> figures;
};

/// What came of a search.
struct Advised {
  std::vector<scenario::Metric> figures;  ///< that are traded; values: before any change
  std::vector<AdvisedChange> best;        ///< by the first figure, the best one first
  std::vector<std::vector<double>> ran;   ///< figures of all that ran, with the best ones
  std::uint64_t space = 0;                ///< combinations that there are
  std::uint64_t simulated = 0;
  std::map<std::string, std::uint64_t> refused_by;  ///< combinations, by rule
};

/// The search of `vgsim advise` over steps and choices of the panel's controls, of a scenario as it
/// stands. It holds all that it needs, so that it can run on another thread.
class AdviceSearch {
 public:
  /// Errors, in words: figures that the answer does not have, controls that there are not, nothing
  /// that could vary.
  [[nodiscard]] static tl::expected<AdviceSearch, std::string> make(const Studio& studio,
                                                                    const Wish& wish);

  /// How many combinations are simulated at most.
  [[nodiscard]] std::uint64_t most() const;

  /// Nothing where it was cut off.
  [[nodiscard]] std::optional<Advised> run(const Overtaken& cut,
                                           const scenario::AdviceProgress& progress) const;

 private:
  AdviceSearch(const Studio& studio, scenario::Document base)
      : library_(&studio.library()), load_(studio.loader()), base_(std::move(base)) {}

  [[nodiscard]] Change change_of(std::uint64_t point) const;
  /// The same figures with all as it stands that makes no difference to them.
  [[nodiscard]] scenario::Candidate with_least_changed(scenario::Candidate best,
                                                       const scenario::RunSettings& settings) const;

  const scenario::Library* library_;
  input::FileLoader load_;
  scenario::Document base_;
  scenario::AdviceRequest request_;
  std::vector<scenario::Metric> figures_;
  std::vector<std::vector<Change>> axes_;  ///< as the grid of the request has them
};

/// Figures of the answer that can be traded, most important first; none before it has run.
[[nodiscard]] std::vector<scenario::Metric> figures_to_trade(const Studio& studio);

/// The Pareto picture: all that ran, the best ones among them, and where the answer stands now.
[[nodiscard]] std::string advice_html(const Advised& advised,
                                      const std::vector<scenario::Metric>& now);

}  // namespace vgsim::studio
