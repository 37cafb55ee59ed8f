#pragma once

#include "models/scoring/fit/observation.hpp"
#include "models/scoring/kinds/job_case.hpp"
#include "topology/input/file_loader.hpp"

namespace vgsim::scenario {

/// Measured training jobs: the time of an iteration, converted from the measured unit.
class TrainingSubject : public FitSubject {
 public:
  TrainingSubject(scoring::JobCase measured, input::FileLoader load)
      : measured_(std::move(measured)), load_(std::move(load)) {}

  [[nodiscard]] tl::expected<std::vector<Observation>, input::Diagnostics> observe(
      const Library& library) const override;

 private:
  scoring::JobCase measured_;
  input::FileLoader load_;
};

}  // namespace vgsim::scenario
