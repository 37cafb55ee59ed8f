#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "models/calibration/uncertain.hpp"
#include "sim/units.hpp"

namespace vgsim::calibration {

/// The correlation of two parameters of a fit, from -1 to 1.
struct Correlation {
  std::string one;
  std::string other;
  double coefficient = 0;
};

/// Measured over predicted times of a collective by size: behaviour of NCCL on a machine that the
/// fitted parameters cannot express. Applies to collectives without training, on the same numbers
/// of ranks and machines.
struct Correction {
  std::string collective;  ///< "all_reduce"
  std::size_t ranks = 0;
  std::size_t machines = 0;
  std::vector<std::pair<Bytes, double>> factors;  ///< ascending by size

  /// Interpolates by the logarithm of the size; constant beyond the first and the last size.
  [[nodiscard]] double at(Bytes size) const;
};

/// Measurements and fit of one machine, or of machines of one kind.
struct Calibration {
  std::string name;
  std::string date;    ///< "2026-11-22"
  std::string source;  ///< description of the source
  std::map<std::string, Uncertain> parameters;
  std::vector<Correlation> correlations;
  std::vector<Correction> corrections;
};

}  // namespace vgsim::calibration
