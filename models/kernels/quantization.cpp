#include "models/kernels/quantization.hpp"

#include <fmt/core.h>

namespace vgsim::kernels {
namespace {

/// Bytes of an element of intermediate results.
constexpr double kIntermediate = 6;

}  // namespace

Quantization quantization_on(const KernelGpu& gpu, const calibration::Parameters& parameters) {
  const auto name_of = [](std::string_view architecture, const char* what) {
    return fmt::format("{}_quantize_{}", architecture, what);
  };
  const bool known = calibration::declared_parameters().count(name_of(gpu.quantizing, "start")) > 0;
  const std::string architecture = known ? gpu.quantizing : "blackwell";
  Quantization result;
  result.start = to_seconds(parameters.time(name_of(architecture, "start")));
  result.operand_bytes = parameters.number(name_of(architecture, "operand_bytes"));
  result.result_bytes = parameters.number(name_of(architecture, "result_bytes"));
  return result;
}

double seconds_of(const Quantization& q, const MatrixProduct& p, const KernelGpu& gpu,
                  const ProductConstants& constants) {
  const double operand = p.m * p.k;
  const double result = p.m * p.n;
  return q.start +
         seconds_to_move(operand * q.operand_bytes, operand * kIntermediate, gpu, constants) +
         seconds_to_move(result * q.result_bytes, result * kIntermediate, gpu, constants);
}

}  // namespace vgsim::kernels
