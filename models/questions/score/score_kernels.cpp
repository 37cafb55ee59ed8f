#include "models/questions/score/score_kernels.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "models/calibration/statistics.hpp"
#include "models/kernels/quantization.hpp"

namespace vgsim::scenario {
namespace {

using kernels::Attention;
using kernels::KernelGpu;
using kernels::MatrixProduct;

std::string precision_of(const std::string& type) { return type == "bf16" ? "fp16" : type; }

std::optional<KernelGpu> gpu_of(const MeasuredKernel& kernel, const topology::Catalog& catalog,
                                const calibration::Parameters& parameters) {
  return kernels::kernel_gpu(catalog.gpus.at(kernel.gpu), precision_of(kernel.type), parameters);
}

double roof(const MeasuredKernel& kernel, const KernelGpu& gpu) {
  if (const auto* product = std::get_if<MatrixProduct>(&kernel.work)) {
    return kernels::roof_of(*product, gpu);
  }
  return kernels::operations_of(std::get<Attention>(kernel.work)) / gpu.peak;
}

const char* kind_of(const MeasuredKernel& kernel) {
  const auto* product = std::get_if<MatrixProduct>(&kernel.work);
  if (product == nullptr) return "attention";
  return product->m >= kRowsOfTraining ? "products" : "short products";
}

struct Errors {
  std::vector<double> own;
  std::vector<double> roof;
  std::size_t fast = 0;
};

}  // namespace

std::optional<double> predicted_seconds(const MeasuredKernel& kernel,
                                        const topology::Catalog& catalog,
                                        const calibration::Parameters& parameters) {
  const auto gpu = gpu_of(kernel, catalog, parameters);
  if (!gpu) return std::nullopt;
  if (const auto* attention = std::get_if<Attention>(&kernel.work)) {
    return kernels::seconds_of(*attention, *gpu, kernels::attention_constants(*gpu, parameters));
  }
  const auto& product = std::get<MatrixProduct>(kernel.work);
  const auto constants = kernels::product_constants(parameters);
  double seconds = kernels::seconds_of(product, *gpu, constants);
  if (kernel.type == "fp8") {
    seconds +=
        kernels::seconds_of(kernels::quantization_on(*gpu, parameters), product, *gpu, constants);
  }
  return seconds;
}

std::vector<KernelScore> score_kernels(const std::vector<MeasuredKernel>& kernels,
                                       const topology::Catalog& catalog,
                                       const calibration::Parameters& parameters) {
  std::map<std::tuple<std::string, std::string, std::string>, Errors> groups;
  for (const MeasuredKernel& kernel : kernels) {
    const auto seconds = predicted_seconds(kernel, catalog, parameters);
    if (!seconds) continue;
    const double of_roof = roof(kernel, *gpu_of(kernel, catalog, parameters));
    const std::string kind = kind_of(kernel);
    for (const auto& key : {std::tuple(kind, std::string(), std::string()),
                            std::tuple(kind, kernel.gpu, kernel.type)}) {
      Errors& errors = groups[key];
      errors.own.push_back(std::abs(*seconds / kernel.seconds - 1));
      errors.roof.push_back(std::abs(of_roof / kernel.seconds - 1));
      if (*seconds < kernel.seconds) ++errors.fast;
    }
  }
  std::vector<KernelScore> scores;
  for (const auto& [key, errors] : groups) {
    const auto& [kind, gpu, type] = key;
    scores.push_back({kind, gpu, type, errors.own.size(), calibration::percentile(errors.own, 50),
                      calibration::percentile(errors.own, 90),
                      static_cast<double>(errors.fast) / static_cast<double>(errors.own.size()),
                      calibration::percentile(errors.roof, 50)});
  }
  return scores;
}

}  // namespace vgsim::scenario
