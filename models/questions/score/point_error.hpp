#pragma once

#include <vector>

#include "models/questions/read/measured_case.hpp"
#include "models/questions/score/predict.hpp"

namespace vgsim::scenario {

/// How far off a prediction of a measured point is.
struct PointError {
  Bytes size{};
  double measured_s = 0.0;
  double predicted_s = 0.0;  ///< with the algorithm that NCCL is thought to choose
  double low_s = 0.0;        ///< of the interval, over both algorithms where it is unknown
  double high_s = 0.0;
  /// (predicted - measured) / measured. Where the algorithm is unknown: 0 between the predictions
  /// for ring and tree, else from the nearer one.
  double error = 0.0;
  bool inside = false;  ///< the measurement lies in the interval, ends included

  /// Predicted over measured, or the other way round: 1 or more.
  [[nodiscard]] double factor() const;
};

/// The measured time. One that was given as a rate follows from the definition of that rate.
[[nodiscard]] double measured_seconds(const MeasuredPoint& point, double bus_factor);

/// The errors of a case's measured points, in its order; blind points are left out.
[[nodiscard]] std::vector<PointError> point_errors(const MeasuredCase& measured,
                                                   const CasePrediction& prediction);

}  // namespace vgsim::scenario
