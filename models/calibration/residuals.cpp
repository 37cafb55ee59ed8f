#include "models/calibration/residuals.hpp"

#include <cmath>
#include <utility>

namespace vgsim::calibration {

SmoothResiduals::SmoothResiduals(std::vector<Residual> residuals)
    : residuals_(std::move(residuals)), counts_(residuals_.size(), true) {
  constexpr double kNear = 1.01;  // octaves
  for (std::size_t i = 1; i + 1 < residuals_.size(); ++i) {
    const Residual& own = residuals_[i];
    if (!own.outlier) continue;
    const auto disagrees = [&](const Residual& other) {
      return std::fabs(other.octave - own.octave) <= kNear && other.logarithm / own.logarithm < 0.5;
    };
    counts_[i] = !disagrees(residuals_[i - 1]) || !disagrees(residuals_[i + 1]);
  }
}

double SmoothResiduals::mean(double octave, std::optional<std::size_t> left_out) const {
  constexpr double kWidth = 0.7;  // octaves
  constexpr double kFar = 1e-9;   // minimum weight: if all are far, their mean is used
  double sum = 0;
  double weights = 0;
  for (std::size_t i = 0; i < residuals_.size(); ++i) {
    if (!counts_[i] || i == left_out) continue;
    const double apart = (residuals_[i].octave - octave) / kWidth;
    const double weight = std::exp(-apart * apart / 2) + kFar;
    sum += weight * residuals_[i].logarithm;
    weights += weight;
  }
  return weights > 0 ? sum / weights : 0.0;
}

std::vector<double> SmoothResiduals::surprises() const {
  std::vector<double> result;
  for (std::size_t i = 0; i < residuals_.size(); ++i) {
    result.push_back(std::fabs(residuals_[i].logarithm - mean(residuals_[i].octave, i)));
  }
  return result;
}

}  // namespace vgsim::calibration
