#pragma once

#include <string>
#include <vector>

#include "models/calibration/parameters.hpp"
#include "models/questions/read/kernel_table.hpp"
#include "topology/catalog/catalog.hpp"

namespace vgsim::scenario {

/// Fewest rows of a product that count: fewer are bound by memory, and not of training.
inline constexpr double kRowsOfTraining = 1024;

/// What the model says of a measured kernel; nothing where the catalogue does not tell the GPU's
/// peak or multiprocessors. Products in fp8 begin with operands in 16 bits.
[[nodiscard]] std::optional<double> predicted_seconds(const MeasuredKernel& kernel,
                                                      const topology::Catalog& catalog,
                                                      const calibration::Parameters& parameters);

/// Errors of kernels of one kind on one GPU, or of all of that kind.
struct KernelScore {
  std::string kind;  ///< "products", "short products" (fewer rows than training has), "attention"
  std::string gpu;   ///< empty: all
  std::string type;
  std::size_t kernels = 0;
  double median = 0;  ///< of |predicted / measured - 1|
  double nine_in_ten = 0;
  double too_fast = 0;     ///< share of those that the model is faster than measured
  double roof_median = 0;  ///< what the datasheet alone would be wrong by, without any constant
};

/// By kind, GPU and type, each kind begun by all of it.
[[nodiscard]] std::vector<KernelScore> score_kernels(const std::vector<MeasuredKernel>& kernels,
                                                     const topology::Catalog& catalog,
                                                     const calibration::Parameters& parameters);

}  // namespace vgsim::scenario
