#include "models/scoring/kinds/kernel_prediction.hpp"

#include <variant>

#include "models/kernels/quantization.hpp"

namespace vgsim::scoring {
namespace {

using calibration::Parameters;
using kernels::Attention;
using kernels::KernelGpu;
using kernels::MatrixProduct;

PredictedKernel predict_work(const Attention& attention, const KernelGpu& gpu,
                             const Parameters& parameters) {
  const auto constants = kernels::attention_constants(gpu, parameters);
  return {kernels::seconds_of(attention, gpu, constants),
          kernels::operations_of(attention) / gpu.peak};
}

PredictedKernel predict_work(const MatrixProduct& product, const KernelGpu& gpu,
                             const Parameters& parameters) {
  const auto constants = kernels::product_constants(parameters);
  return {kernels::seconds_of(product, gpu, constants), kernels::roof_of(product, gpu)};
}

double quantization_seconds(const MatrixProduct& product, const KernelGpu& gpu,
                            const Parameters& parameters) {
  return kernels::seconds_of(kernels::quantization_on(gpu, parameters), product, gpu,
                             kernels::product_constants(parameters));
}

}  // namespace

std::optional<PredictedKernel> predict(const MeasuredKernel& kernel,
                                       const topology::Catalog& catalog,
                                       const Parameters& parameters) {
  const std::string precision = kernel.type == "bf16" ? "fp16" : kernel.type;
  const auto gpu = kernels::kernel_gpu(catalog.gpus.at(kernel.gpu), precision, parameters);
  if (!gpu) return std::nullopt;
  PredictedKernel predicted = std::visit(
      [&](const auto& work) { return predict_work(work, *gpu, parameters); }, kernel.work);
  const auto* product = std::get_if<MatrixProduct>(&kernel.work);
  if (product && kernel.type == "fp8") {
    predicted.seconds += quantization_seconds(*product, *gpu, parameters);
  }
  return predicted;
}

}  // namespace vgsim::scoring
