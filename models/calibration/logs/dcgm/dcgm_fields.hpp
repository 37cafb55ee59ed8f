#pragma once

#include <optional>
#include <string_view>

/// Fields of DCGM: https://docs.nvidia.com/datacenter/dcgm/latest/dcgm-api/dcgm-api-field-ids.html
namespace vgsim::calibration::logs::dcgm {

struct Field {
  std::string_view id;      ///< "DCGM_FI_DEV_GPU_UTIL"
  std::string_view column;  ///< in `dcgmi dmon`: "GPUTL"
  std::string_view early;   ///< of dcgm-exporter 1.x: "dcgm_gpu_utilization"
  std::string_view name;    ///< as DcgmMetric has it
  std::string_view unit;
  double factor;  ///< from DCGM's unit
  double most;    ///< in our unit; what is more cannot be meant
};

/// By any of its first three names. Null for fields that are not used.
[[nodiscard]] const Field* field_of(std::string_view name);

/// The value in our unit. Empty where DCGM marks it as missing, or where it cannot be.
[[nodiscard]] std::optional<double> value_of(const Field& field, std::string_view text);

/// Whether the text is a number or one of the words for none.
[[nodiscard]] bool is_value(std::string_view text);

}  // namespace vgsim::calibration::logs::dcgm
