#pragma once

#include <Eigen/Core>
#include <functional>
#include <vector>

namespace vgsim::calibration {

/// Logarithms of what a model predicts for all points, with its unknowns (logarithms of factors of
/// their defaults) at each of the columns: a column for each of them.
using PredictLogs = std::function<Eigen::MatrixXd(const Eigen::MatrixXd& columns)>;

struct FitSettings {
  double step = 0.02;  ///< of an unknown, for the derivatives
  double most = 1.5;   ///< of an unknown, either way
  std::size_t rounds = 10;
  double least_noise = 0.003;  ///< of a point: nothing is measured better
};

/// What fits the measurements best.
struct RobustFit {
  Eigen::VectorXd best;
  Eigen::MatrixXd covariance;
  double noise = 0;                   ///< standard deviation of a point's logarithm
  double freedom = 1;                 ///< points less unknowns that they determine
  std::vector<double> residuals;      ///< measured less predicted logarithms
  std::vector<std::size_t> outliers;  ///< points that do not count, farther off than 4.7 x noise

  /// Half of the interval that holds an unknown nine times in ten.
  [[nodiscard]] double half_interval(Eigen::Index unknown) const;
};

/// Fits unknowns to measurements of which some are wrong: least squares with Huber's weights, then
/// Tukey's (P. J. Huber, E. M. Ronchetti, Robust Statistics, 2009, sections 7.6 and 7.8, also for
/// the covariance), by Gauss-Newton steps. Each unknown is believed to be near 0 before anything is
/// measured, with the standard deviation `believed`: what the points do not determine stays there.
/// `measured`: logarithms, one for each point.
[[nodiscard]] RobustFit robust_fit(const PredictLogs& predict, const Eigen::VectorXd& measured,
                                   const Eigen::VectorXd& believed,
                                   const FitSettings& settings = {});

}  // namespace vgsim::calibration
