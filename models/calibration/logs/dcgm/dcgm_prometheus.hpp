#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace vgsim::calibration::logs::dcgm {

/// A line of Prometheus's text format
/// (https://prometheus.io/docs/instrumenting/exposition_formats):
/// DCGM_FI_DEV_GPU_UTIL{gpu="0",UUID="GPU-5c"} 98
struct Sample {
  std::string_view name;
  std::vector<std::pair<std::string_view, std::string>> labels;
  std::string_view value;
};

[[nodiscard]] std::optional<Sample> sample_in(std::string_view line);

/// The value of the first label that has one of two names; empty if there is none.
[[nodiscard]] std::string label_of(const Sample& sample, std::string_view name,
                                   std::string_view other_name);

}  // namespace vgsim::calibration::logs::dcgm
