#pragma once

#include "models/scoring/fit/observation.hpp"
#include "models/scoring/kinds/collective_case.hpp"
#include "topology/input/file_loader.hpp"

namespace vgsim::scenario {

/// A measured collective. If its algorithm is unknown, the prediction for ring or tree that is
/// nearer to the measurement is used.
class CollectiveSubject : public FitSubject {
 public:
  CollectiveSubject(scoring::CollectiveCase measured, input::FileLoader load)
      : measured_(std::move(measured)), load_(std::move(load)) {}

  [[nodiscard]] tl::expected<std::vector<Observation>, input::Diagnostics> observe(
      const Library& library) const override;

 private:
  scoring::CollectiveCase measured_;
  input::FileLoader load_;
};

}  // namespace vgsim::scenario
