#include "models/calibration/robust_fit.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "models/calibration/statistics.hpp"

namespace vgsim::calibration {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kHuber = 1.345;  // both give 95 % of the efficiency under normal noise
constexpr double kTukey = 4.685;

double weight_of(double scaled, bool tukey) {
  const double size = std::fabs(scaled);
  if (!tukey) return size <= kHuber ? 1.0 : kHuber / size;
  if (size >= kTukey) return 0.0;
  const double part = 1 - (size / kTukey) * (size / kTukey);
  return part * part;
}

double loss_of(double scaled, bool tukey) {
  const double size = std::fabs(scaled);
  if (!tukey) return size <= kHuber ? size * size / 2 : kHuber * (size - kHuber / 2);
  constexpr double kMostLoss = kTukey * kTukey / 6;
  if (size >= kTukey) return kMostLoss;
  const double part = 1 - (size / kTukey) * (size / kTukey);
  return kMostLoss * (1 - part * part * part);
}

/// Derivative of weight times residual, both scaled.
double influence_slope(double scaled) {
  const double part = (scaled / kTukey) * (scaled / kTukey);
  return part >= 1 ? 0.0 : (1 - part) * (1 - 5 * part);
}

class Fitter {
 public:
  Fitter(const PredictLogs& predict, const VectorXd& measured, const VectorXd& believed,
         const FitSettings& settings)
      : predict_(predict),
        measured_(measured),
        belief_(believed.array().square().inverse()),
        settings_(settings),
        x_(VectorXd::Zero(believed.size())),
        predicted_(predict(x_)) {}

  RobustFit run() {
    for (const bool tukey : {false, true}) {
      for (std::size_t round = 0; round < settings_.rounds; ++round) {
        if (!improve(tukey)) break;
      }
    }
    return summary();
  }

 private:
  [[nodiscard]] VectorXd residuals() const { return measured_ - predicted_; }

  [[nodiscard]] double noise_of(const VectorXd& residuals) const {
    std::vector<double> sizes;
    for (const double r : residuals) sizes.push_back(std::fabs(r));
    const auto points = static_cast<double>(residuals.size());
    const double lost = std::min(determined_, points - 1);
    // Fitted residuals are smaller than the noise.
    const double larger = std::sqrt(points / (points - lost));
    return std::max(settings_.least_noise, kNormalMad * median(std::move(sizes)) * larger);
  }

  [[nodiscard]] double objective(const VectorXd& x, const VectorXd& predicted, double noise,
                                 bool tukey) const {
    double sum = (belief_.array() * x.array().square()).sum() / 2;
    for (Index i = 0; i < measured_.size(); ++i) {
      sum += loss_of((measured_[i] - predicted[i]) / noise, tukey);
    }
    return sum;
  }

  void differentiate() {
    MatrixXd moved = x_.replicate(1, x_.size());
    VectorXd steps(x_.size());
    for (Index j = 0; j < x_.size(); ++j) {
      steps[j] = x_[j] + settings_.step > settings_.most ? -settings_.step : settings_.step;
      moved(j, j) += steps[j];
    }
    slopes_ = predict_(moved);
    for (Index j = 0; j < x_.size(); ++j) {
      slopes_.col(j) = (slopes_.col(j) - predicted_) / steps[j];
    }
  }

  /// Returns whether the fit improved.
  bool improve(bool tukey) {
    differentiate();
    const VectorXd r = residuals();
    const double noise = noise_of(r);
    VectorXd weights(r.size());
    for (Index i = 0; i < r.size(); ++i) weights[i] = weight_of(r[i] / noise, tukey);
    const MatrixXd weighted = weights.asDiagonal() * slopes_ / (noise * noise);
    MatrixXd normal = slopes_.transpose() * weighted;
    const MatrixXd by_points = normal;
    normal.diagonal() += belief_;
    const Eigen::LDLT<MatrixXd> solver(normal);
    determined_ = solver.solve(by_points).trace();
    VectorXd step = solver.solve(weighted.transpose() * r - VectorXd(belief_.cwiseProduct(x_)));
    const double before = objective(x_, predicted_, noise, tukey);
    for (int halving = 0; halving < 5; ++halving, step /= 2) {
      const VectorXd tried = (x_ + step).cwiseMax(-settings_.most).cwiseMin(settings_.most);
      const VectorXd predicted = predict_(tried);
      const double after = objective(tried, predicted, noise, tukey);
      if (after >= before) continue;
      x_ = tried;
      predicted_ = predicted;
      return before - after > 1e-4 * before;
    }
    return false;
  }

  RobustFit summary() {
    differentiate();
    const VectorXd r = residuals();
    RobustFit fit;
    fit.best = x_;
    fit.noise = noise_of(r);
    double influence = 0;
    double slope = 0;
    for (Index i = 0; i < r.size(); ++i) {
      const double scaled = r[i] / fit.noise;
      const double pull = weight_of(scaled, true) * scaled;
      influence += pull * pull;
      slope += influence_slope(scaled);
      fit.residuals.push_back(r[i]);
      if (std::fabs(scaled) >= kTukey) fit.outliers.push_back(static_cast<std::size_t>(i));
    }
    const auto points = static_cast<double>(r.size());
    fit.freedom = std::max(1.0, points - static_cast<double>(fit.outliers.size()) - determined_);
    const double mean_slope = std::max(slope / points, 0.1);
    const double variance =
        fit.noise * fit.noise * (influence / fit.freedom) / (mean_slope * mean_slope);
    MatrixXd information = slopes_.transpose() * slopes_ /
                           std::max(variance, settings_.least_noise * settings_.least_noise);
    information.diagonal() += belief_;
    fit.covariance = information.ldlt().solve(MatrixXd::Identity(x_.size(), x_.size()));
    return fit;
  }

  const PredictLogs& predict_;
  const VectorXd& measured_;
  VectorXd belief_;
  FitSettings settings_;
  VectorXd x_;
  VectorXd predicted_;
  MatrixXd slopes_;
  double determined_ = 0;  ///< unknowns determined by the points rather than the prior
};

}  // namespace

double RobustFit::half_interval(Index unknown) const {
  return student_95(freedom) * std::sqrt(covariance(unknown, unknown));
}

RobustFit robust_fit(const PredictLogs& predict, const VectorXd& measured, const VectorXd& believed,
                     const FitSettings& settings) {
  return Fitter(predict, measured, believed, settings).run();
}

}  // namespace vgsim::calibration
