#pragma once

#include "models/calibration/parameters.hpp"
#include "models/kernels/matrix_product.hpp"

namespace vgsim::kernels {

/// The additional cost of a product in 8 bits whose left operand arrives in 16 bits and is scaled
/// token by token.
struct Quantization {
  double start = 0;          ///< launch and start of the kernels, s
  double operand_bytes = 0;  ///< bytes moved per element of the left operand
  double result_bytes = 0;   ///< bytes moved per element of the result, besides writing it
};

/// The cost of vLLM's kernels on the GPU's architecture: one kernel (B200, RTX PRO 6000), or
/// several of PyTorch, which move an element about ten times (H100, L40S, GB200). Which of them a
/// GPU has depends on vLLM's release. Source: parameters *_quantize_* in
/// configs/parameters/kernels.json, fitted to fp8 products of
/// tests/kernel-tables/matrix_products.csv. Architectures without measurements get the values of
/// Blackwell.
[[nodiscard]] Quantization quantization_on(const KernelGpu& gpu,
                                           const calibration::Parameters& parameters);

/// Additional time in seconds for the given product.
[[nodiscard]] double seconds_of(const Quantization& quantization, const MatrixProduct& product,
                                const KernelGpu& gpu, const ProductConstants& constants);

}  // namespace vgsim::kernels
