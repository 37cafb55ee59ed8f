#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "models/calibration/uncertain.hpp"
#include "sim/units.hpp"

namespace vgsim::calibration {

/// How two parameters of a fit go together, from -1 to 1.
struct Correlation {
  std::string one;
  std::string other;
  double coefficient = 0;
};

/// How much longer a collective took than the fitted parameters say, by size: what they cannot
/// express of NCCL's behaviour on a machine. For bare collectives of as many ranks on as many
/// machines.
struct Correction {
  std::string collective;  ///< "all_reduce"
  std::size_t ranks = 0;
  std::size_t machines = 0;
  std::vector<std::pair<Bytes, double>> factors;  ///< ascending by size

  /// Between two sizes by their logarithms, beyond the ends as at the end.
  [[nodiscard]] double at(Bytes size) const;
};

/// What was measured on one machine, or on machines of one kind.
struct Calibration {
  std::string name;
  std::string date;    ///< "2026-11-22"
  std::string source;  ///< in words
  std::map<std::string, Uncertain> parameters;
  std::vector<Correlation> correlations;
  std::vector<Correction> corrections;
};

}  // namespace vgsim::calibration
