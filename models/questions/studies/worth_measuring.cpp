#include "models/questions/studies/worth_measuring.hpp"

#include <algorithm>
#include <cmath>

namespace vgsim::scenario {

std::vector<WorthMeasuring> worth_measuring(const std::vector<ParameterEffect>& effects,
                                            const calibration::Parameters& parameters) {
  double all = 0;
  std::vector<WorthMeasuring> found;
  std::vector<double> squares;  // by measurement
  for (const ParameterEffect& effect : effects) {
    const double square = std::pow(effect.swing, 2);
    all += square;
    const auto& measurement = parameters.at(effect.parameter).measured_by;
    if (!measurement) continue;
    std::size_t m = 0;
    while (m < found.size() && found[m].measurement.command != measurement->command) ++m;
    if (m == found.size()) {
      found.push_back({*measurement, {}, 0});
      squares.push_back(0);
    }
    auto& determined = found[m].parameters;
    if (std::find(determined.begin(), determined.end(), effect.parameter) == determined.end()) {
      determined.push_back(effect.parameter);
    }
    squares[m] += square - std::min(square, std::pow(effect.after, 2));
  }
  for (std::size_t m = 0; m < found.size(); ++m) {
    found[m].narrows = all > 0 ? 1 - std::sqrt(std::max(0.0, 1 - squares[m] / all)) : 0.0;
  }
  std::erase_if(found, [](const WorthMeasuring& each) { return each.narrows < kLeastNarrowing; });
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.narrows > b.narrows; });
  if (found.size() > kMostMeasurements) found.resize(kMostMeasurements);
  return found;
}

}  // namespace vgsim::scenario
