#pragma once

#include <map>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "topology/input/diagnostics.hpp"
#include "topology/input/shapes/shape.hpp"
#include "topology/input/source_file.hpp"

namespace vgsim::scenario {

inline constexpr const char* kTrainingFoldsFormat = "vgsim.training-folds/1";

/// Cases whose documents had no part in these values of parameters.
struct TrainingFold {
  std::vector<std::string> cases;            ///< by id
  std::map<std::string, double> parameters;  ///< times in picoseconds, rates in bytes per second
};

/// Constants for a cross-validation: each case is predicted with those of its fold.
using TrainingFolds = std::vector<TrainingFold>;

/// A file of folds for training cases.
[[nodiscard]] input::Shape training_folds_shape();

/// Reads such a file, strictly: a case is in one fold.
[[nodiscard]] tl::expected<TrainingFolds, input::Diagnostics> read_training_folds(
    const input::SourcePtr& file);

/// The values for a case; nullptr where it is in no fold.
[[nodiscard]] const std::map<std::string, double>* parameters_of(const TrainingFolds& folds,
                                                                 const std::string& id);

}  // namespace vgsim::scenario
