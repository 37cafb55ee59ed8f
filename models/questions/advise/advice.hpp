#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "models/questions/read/advice_request.hpp"
#include "models/questions/sweep/point.hpp"
#include "models/scenario/build/run_settings.hpp"
#include "topology/input/file_loader.hpp"

namespace vgsim::scenario {

struct Library;

/// A layout at a point of the space that was simulated.
struct Candidate {
  std::uint64_t point = 0;
  std::vector<Override> set;
  PointLayout layout;
  std::vector<std::string> misses;  ///< requirements that it does not meet, in words
  std::vector<double> objectives;   ///< values, in the order of the request
};

/// So many choices are worth showing.
inline constexpr std::size_t kMostChoices = 20;

/// What came of a search.
struct Advice {
  std::uint64_t space = 0;      ///< points that there are
  std::uint64_t simulated = 0;  ///< points that were looked at
  bool exhaustive = true;       ///< all of them
  std::uint64_t meet = 0;       ///< candidates that meet all requirements
  std::uint64_t miss = 0;       ///< those that ran and miss some
  std::uint64_t failed = 0;     ///< points that are no valid scenario, or cannot be run
  std::map<std::string, std::uint64_t> refused_by;  ///< candidates, by rule
  std::vector<std::vector<double>> met;  ///< objectives of those that meet all requirements
  /// Those that meet the requirements and that no other beats in all objectives, by the first
  /// objective; of equal ones the first. The first have intervals where draws were asked for.
  std::vector<Candidate> best;
  /// Where none meets them: those that miss fewest, and of these the Pareto set.
  std::vector<Candidate> nearest;
};

/// Called with the number of points that were simulated so far.
using AdviceProgress = std::function<void(std::uint64_t done)>;

/// Searches the space: all of it if it is small enough, else by NSGA-II (evolution.hpp), with fixed
/// draws, so that the same request has the same answer. `base` is the scenario as base_of() returns
/// it; `draws`: of the uncertain parameters, for the choices that are shown.
[[nodiscard]] Advice search(const AdviceRequest& request, const Document& base,
                            const Library& library, const input::FileLoader& load,
                            const RunSettings& settings, std::uint64_t draws,
                            const AdviceProgress& progress);

}  // namespace vgsim::scenario
