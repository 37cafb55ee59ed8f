#pragma once

#include <optional>
#include <string_view>

/// Fields of DCGM: https://docs.nvidia.com/datacenter/dcgm/latest/dcgm-api/dcgm-api-field-ids.html
namespace vgsim::calibration::logs::dcgm {

struct Field {
  std::string_view id;      ///< "DCGM_FI_DEV_GPU_UTIL"
  std::string_view column;  ///< in `dcgmi dmon`: "GPUTL"
  std::string_view early;   ///< of dcgm-exporter 1.x: "dcgm_gpu_utilization"
  std::string_view name;    ///< DcgmMetric::name
  std::string_view unit;
  double factor;  ///< from DCGM's unit
  double most;    ///< in our unit; larger values are implausible
};

/// Finds a field by any of its first three names. Null for unused fields.
[[nodiscard]] const Field* field_of(std::string_view name);

/// The value in our unit. Empty if DCGM marks it as missing, or if it is implausible.
[[nodiscard]] std::optional<double> value_of(const Field& field, std::string_view text);

/// Whether the text is a number or one of the words for a missing value.
[[nodiscard]] bool is_value(std::string_view text);

}  // namespace vgsim::calibration::logs::dcgm
