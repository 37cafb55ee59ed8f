#include "models/calibration/uncertain.hpp"

#include <algorithm>
#include <cmath>

namespace vgsim::calibration {
namespace {

double four_digits(double value) {
  if (value == 0) return 0;
  const double scale = std::pow(10.0, 3 - std::floor(std::log10(std::fabs(value))));
  return std::round(value * scale) / scale;
}

}  // namespace

double at_deviation(const Uncertain& quantity, double z) {
  const double end = z < 0 ? quantity.low : quantity.high;
  const double part = std::fabs(z) / kQuantile95;
  if (quantity.value <= 0 || end <= 0) {
    return four_digits(std::max(0.0, quantity.value + part * (end - quantity.value)));
  }
  return four_digits(quantity.value * std::pow(end / quantity.value, part));
}

}  // namespace vgsim::calibration
