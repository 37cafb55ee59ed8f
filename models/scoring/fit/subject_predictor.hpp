#pragma once

#include <Eigen/Core>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "models/calibration/uncertain.hpp"
#include "models/scenario/read/library.hpp"
#include "models/scoring/fit/observation.hpp"
#include "topology/input/diagnostics.hpp"

namespace vgsim::scenario {

/// Parameters by name that replace those of a library.
using ParameterValues = std::map<std::string, calibration::Uncertain>;
using Observations = std::vector<Observation>;

/// Predicts all subjects of a fit with other parameters, several at a time.
class SubjectPredictor {
 public:
  SubjectPredictor(const std::vector<std::unique_ptr<FitSubject>>& subjects, const Library& library)
      : subjects_(subjects), library_(library) {}

  /// For each set of changes, the points of all subjects in sequence; reports subjects that cannot
  /// be run.
  [[nodiscard]] std::vector<Observations> observe(const std::vector<ParameterValues>& changes,
                                                  input::Diagnostics& diagnostics) const;
  /// The same for subjects that could be run before. Throws std::logic_error if one cannot be run.
  [[nodiscard]] std::vector<Observations> observe(
      const std::vector<ParameterValues>& changes) const;
  /// Logarithms of the predictions: a column for each set of changes.
  [[nodiscard]] Eigen::MatrixXd logs(const std::vector<ParameterValues>& changes) const;

 private:
  const std::vector<std::unique_ptr<FitSubject>>& subjects_;
  const Library& library_;
};

}  // namespace vgsim::scenario
