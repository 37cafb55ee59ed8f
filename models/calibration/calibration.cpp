#include "models/calibration/calibration.hpp"

#include <algorithm>
#include <cmath>

namespace vgsim::calibration {

double Correction::at(Bytes size) const {
  const auto above = std::lower_bound(
      factors.begin(), factors.end(), size,
      [](const std::pair<Bytes, double>& entry, Bytes wanted) { return entry.first < wanted; });
  if (above == factors.end()) return factors.back().second;
  if (above == factors.begin()) return above->second;
  const auto below = std::prev(above);
  const auto log_of = [](Bytes bytes) { return std::log(static_cast<double>(bytes.count())); };
  const double place =
      (log_of(size) - log_of(below->first)) / (log_of(above->first) - log_of(below->first));
  return below->second * std::pow(above->second / below->second, place);
}

}  // namespace vgsim::calibration
