#include "models/kernels/kernel_gpu.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace vgsim::kernels {
namespace {

struct Architecture {
  std::string_view word;
  std::int64_t capability = 0;  ///< least compute capability: 80 is 8.0
  bool overlaps = false;  ///< persistent kernels, which stay on a multiprocessor from tile to tile
};

/// Oldest first.
constexpr std::array<Architecture, 7> kArchitectures = {{{"pascal", 60, false},
                                                         {"volta", 70, false},
                                                         {"ampere", 80, false},
                                                         {"ada", 89, false},
                                                         {"hopper", 90, true},
                                                         {"blackwell", 100, true},
                                                         {"workstation_blackwell", 120, false}}};

const Architecture& architecture_of(const topology::GpuModel& gpu) {
  const Architecture* found = &kArchitectures.front();
  for (const Architecture& each : kArchitectures) {
    if (gpu.compute_capability >= each.capability) found = &each;
  }
  return *found;
}

/// Assumed cache size, in bytes, if the catalogue states none.
constexpr double kSmallCache = 6e6;

/// The clock, in Hz, for which constants of multiprocessors are stated.
constexpr double kStatedClock = 1.8e9;

/// The clock of a GPU's multiprocessors relative to kStatedClock, from its fp32 peak: 64 or 128
/// multiply-adds per clock. Source: CUDA C++ Programming Guide, chapter Compute Capabilities.
double relative_clock(const topology::GpuModel& gpu) {
  const auto peak = gpu.peak.find("fp32");
  if (peak == gpu.peak.end()) return 1;
  constexpr std::array<std::int64_t, 5> kOfHalf = {60, 70, 72, 75, 80};
  const bool half =
      std::find(kOfHalf.begin(), kOfHalf.end(), gpu.compute_capability) != kOfHalf.end();
  return static_cast<double>(peak->second.value.count()) /
         (static_cast<double>(gpu.multiprocessors) * (half ? 128 : 256) * kStatedClock);
}

}  // namespace

double operand_bytes(std::string_view precision) {
  // One scale of 8 bits for 32 elements of MXFP8 and for 16 of NVFP4. Source: NVIDIA, Transformer
  // Engine documentation.
  if (precision == "nvfp4") return 0.5 + 1.0 / 16;
  if (precision == "mxfp8") return 1 + 1.0 / 32;
  if (precision == "fp8") return 1;
  return precision == "fp16" ? 2 : 4;
}

double sustained_share(const topology::GpuModel& gpu, const std::string& precision,
                       const calibration::Parameters& parameters) {
  const std::string_view architecture = architecture_of(gpu).word;
  const auto& known = calibration::declared_parameters();
  const std::string like = precision == "mxfp8" ? "fp8" : precision;
  for (const std::string& type : {like, std::string("fp16")}) {
    const std::string name = fmt::format("{}_{}_sustained_share", architecture, type);
    if (known.count(name) > 0) return parameters.number(name);
  }
  const double most = parameters.number("product_math_share");
  const auto peak = gpu.peak.find("fp16");
  if (!gpu.tdp_watts || peak == gpu.peak.end()) return most;
  const double watts_per_tera =
      gpu.tdp_watts->value * 1e12 / static_cast<double>(peak->second.value.count());
  return std::min(most, parameters.number("sustained_share_at_a_watt") *
                            std::pow(watts_per_tera, parameters.number("sustained_share_power")));
}

std::string kernel_architecture(const topology::GpuModel& gpu) {
  return std::string(architecture_of(gpu).word);
}

std::optional<KernelGpu> kernel_gpu(const topology::GpuModel& gpu, const std::string& precision,
                                    const calibration::Parameters& parameters) {
  const auto peak = gpu.peak.find(precision);
  if (peak == gpu.peak.end() || gpu.multiprocessors == 0) return std::nullopt;
  const Architecture& architecture = architecture_of(gpu);
  KernelGpu result;
  result.architecture = architecture.word;
  result.quantizing =
      gpu.form_factor == "grace-blackwell" ? "grace_blackwell" : result.architecture;
  result.clock = relative_clock(gpu);
  result.multiprocessors = static_cast<double>(gpu.multiprocessors);
  result.peak = static_cast<double>(peak->second.value.count());
  result.memory_rate = static_cast<double>(gpu.memory_bandwidth.value.count());
  result.cache = gpu.cache ? static_cast<double>(gpu.cache->value.count()) : kSmallCache;
  result.sustained_share = kernels::sustained_share(gpu, precision, parameters);
  result.overlaps = architecture.overlaps;
  return result;
}

}  // namespace vgsim::kernels
