#pragma once

#include <map>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "topology/input/diagnostics.hpp"
#include "topology/input/shapes/shape.hpp"
#include "topology/input/source_file.hpp"

namespace vgsim::scoring {

inline constexpr const char* kFoldsFormat = "vgsim.training-folds/1";

/// Cases whose measurements were not used to fit these parameter values.
struct Fold {
  std::vector<std::string> cases;            ///< by id
  std::map<std::string, double> parameters;  ///< times in picoseconds, rates in bytes/s
};

/// Constants for a cross-validation: each case is predicted with those of its fold.
using Folds = std::vector<Fold>;

/// A file of folds for training cases.
[[nodiscard]] input::Shape folds_shape();

/// Reads such a file, strictly: a case is in one fold.
[[nodiscard]] tl::expected<Folds, input::Diagnostics> read_folds(const input::SourcePtr& file);

/// The values for a case; nullptr if it is in no fold.
[[nodiscard]] const std::map<std::string, double>* parameters_of(const Folds& folds,
                                                                 const std::string& id);

}  // namespace vgsim::scoring
