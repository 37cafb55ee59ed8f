#pragma once

#include <optional>
#include <vector>

#include "models/calibration/parameters.hpp"
#include "models/scoring/kinds/kernel_table.hpp"
#include "topology/catalog/catalog.hpp"

namespace vgsim::scoring {

/// Fewest rows of a product that count: fewer are bound by memory, and not of training.
inline constexpr double kRowsOfTraining = 1024;

struct PredictedKernel {
  double seconds = 0;
  /// Its operations over the peak or its bytes over the memory's rate, whichever takes longer.
  double datasheet_seconds = 0;
};

/// What the model says of a measured kernel; nothing where the catalogue does not have the GPU's
/// peak or multiprocessors. Products in fp8 begin with operands in 16 bits.
[[nodiscard]] std::optional<PredictedKernel> predict(const MeasuredKernel& kernel,
                                                     const topology::Catalog& catalog,
                                                     const calibration::Parameters& parameters);

}  // namespace vgsim::scoring
