#pragma once

#include "models/calibration/parameters.hpp"
#include "models/kernels/matrix_product.hpp"

namespace vgsim::kernels {

/// What a product in 8 bits costs beside itself where its left operand comes in 16 bits, and its
/// scales are found token by token.
struct Quantization {
  double start = 0;          ///< seconds
  double operand_bytes = 0;  ///< moved for an element of the left operand
  double result_bytes = 0;   ///< the same of the result, beyond writing it
};

/// As vLLM's kernels do it on GPUs of that architecture: in one kernel or in several, which move an
/// element ten times as often.
[[nodiscard]] Quantization quantization_on(const KernelGpu& gpu,
                                           const calibration::Parameters& parameters);

[[nodiscard]] double seconds_of(const Quantization& quantization, const MatrixProduct& product,
                                const KernelGpu& gpu, const ProductConstants& constants);

}  // namespace vgsim::kernels
