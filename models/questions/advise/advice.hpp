#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "models/questions/read/advice_request.hpp"
#include "models/questions/sweep/point.hpp"
#include "models/scenario/answer/computed_parts.hpp"
#include "models/scenario/build/run_settings.hpp"
#include "topology/input/file_loader.hpp"

namespace vgsim::scenario {

struct Library;

/// A simulated layout at a point of the search space.
struct Candidate {
  std::uint64_t point = 0;
  std::vector<Override> set;
  PointLayout layout;
  std::vector<std::string> misses;  ///< descriptions of unmet requirements
  std::vector<double> objectives;   ///< values, in the order of the request
};

/// Largest number of shown choices.
inline constexpr std::size_t kMostChoices = 20;

/// The result of a search.
struct Advice {
  std::uint64_t space = 0;      ///< number of points in the space
  std::uint64_t simulated = 0;  ///< number of simulated points
  bool exhaustive = true;       ///< all points were simulated
  std::uint64_t meet = 0;       ///< number of candidates that meet all requirements
  std::uint64_t miss = 0;       ///< number of simulated candidates that miss some
  std::uint64_t failed = 0;     ///< number of points that are invalid or cannot be run
  std::map<std::string, std::uint64_t> refused_by;  ///< number of refused candidates by rule
  std::vector<std::vector<double>> met;  ///< objectives of candidates that meet all requirements
  /// The Pareto set of candidates that meet all requirements, sorted by the first objective; of
  /// equal ones the first. With draws the first ones have intervals, and differences from the
  /// first.
  std::vector<Candidate> best;
  /// If there are none: the Pareto set of the candidates that miss the fewest requirements.
  std::vector<Candidate> nearest;
  /// Of each number of hosts without a shown choice: the one that misses the fewest requirements,
  /// or that a shown choice beats; with the reason in Candidate::misses.
  std::vector<Candidate> losers;
};

/// Called with the number of simulated points.
using AdviceProgress = std::function<void(std::uint64_t done)>;

/// Searches the space: exhaustively if it is small enough, otherwise by NSGA-II (evolution.hpp),
/// deterministically. `base`: the scenario of base_of(); `draws`: of the uncertain parameters, for
/// the shown choices. What `progress` throws ends the search. With `parts` each simulation is a
/// part.
[[nodiscard]] Advice search(const AdviceRequest& request, const Document& base,
                            const Library& library, const input::FileLoader& load,
                            const RunSettings& settings, std::uint64_t draws,
                            const AdviceProgress& progress, ComputedParts* parts = nullptr);

}  // namespace vgsim::scenario
