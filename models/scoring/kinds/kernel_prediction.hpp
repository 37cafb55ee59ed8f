#pragma once

#include <optional>
#include <vector>

#include "models/calibration/parameters.hpp"
#include "models/scoring/kinds/kernel_table.hpp"
#include "topology/catalog/catalog.hpp"

namespace vgsim::scoring {

/// Minimum number of rows of a scored product: smaller ones are bound by memory and do not occur in
/// training.
inline constexpr double kRowsOfTraining = 1024;

struct PredictedKernel {
  double seconds = 0;
  /// Operations over peak or bytes over memory rate, whichever takes longer.
  double datasheet_seconds = 0;
};

/// The prediction of a measured kernel; nothing if the catalogue lacks the GPU's peak or
/// multiprocessors. Products in fp8 include the conversion of operands from 16 bits.
[[nodiscard]] std::optional<PredictedKernel> predict(const MeasuredKernel& kernel,
                                                     const topology::Catalog& catalog,
                                                     const calibration::Parameters& parameters);

}  // namespace vgsim::scoring
