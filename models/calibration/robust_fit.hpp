#pragma once

#include <Eigen/Core>
#include <functional>
#include <vector>

namespace vgsim::calibration {

/// Logarithms of a model's predictions for all points, one column for each column of unknowns.
/// Unknowns are logarithms of factors on their defaults.
using PredictLogs = std::function<Eigen::MatrixXd(const Eigen::MatrixXd& columns)>;

struct FitSettings {
  double step = 0.02;  ///< of an unknown, for the derivatives
  double most = 1.5;   ///< limit of an unknown in either direction
  std::size_t rounds = 10;
  double least_noise = 0.003;  ///< lower limit of a point's noise
};

/// The result of a fit.
struct RobustFit {
  Eigen::VectorXd best;
  Eigen::MatrixXd covariance;
  double noise = 0;                   ///< standard deviation of a point's logarithm
  double freedom = 1;                 ///< points minus determined unknowns
  std::vector<double> residuals;      ///< measured minus predicted logarithms
  std::vector<std::size_t> outliers;  ///< ignored points, farther off than 4.7 x noise

  /// Half of the 90 % interval of an unknown.
  [[nodiscard]] double half_interval(Eigen::Index unknown) const;
};

/// Fits unknowns to measurements that contain outliers: least squares with Huber's weights, then
/// Tukey's (P. J. Huber, E. M. Ronchetti, Robust Statistics, 2009, sections 7.6 and 7.8, also for
/// the covariance), by Gauss-Newton steps. The prior of each unknown is normal around 0 with
/// standard deviation `believed`: unknowns that the points do not determine stay there. `measured`:
/// logarithms, one for each point.
[[nodiscard]] RobustFit robust_fit(const PredictLogs& predict, const Eigen::VectorXd& measured,
                                   const Eigen::VectorXd& believed,
                                   const FitSettings& settings = {});

}  // namespace vgsim::calibration
