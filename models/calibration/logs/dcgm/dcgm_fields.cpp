#include "models/calibration/logs/dcgm/dcgm_fields.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "models/calibration/logs/log_lines.hpp"

namespace vgsim::calibration::logs::dcgm {
namespace {

constexpr double kMi = 1048576.0;
constexpr double kMostBytes = 1e15;
constexpr double kMostRate = 1e14;  ///< bytes/s
constexpr double kMostWatts = 1e5;
constexpr double kMostMegahertz = 1e5;
constexpr double kMostDegrees = 1e3;
constexpr double kMostJoules = 1e15;

/// Percent and ratios become shares, MiB and kB/s become bytes.
constexpr std::array<Field, 24> kFields = {{
    {"DCGM_FI_DEV_GPU_UTIL", "GPUTL", "dcgm_gpu_utilization", "GPU utilization", "", 0.01, 1.0},
    {"DCGM_FI_DEV_MEM_COPY_UTIL", "MCUTL", "dcgm_mem_copy_utilization", "memory utilization", "",
     0.01, 1.0},
    {"DCGM_FI_PROF_GR_ENGINE_ACTIVE", "GRACT", "dcgm_fi_prof_gr_engine_active", "engine active", "",
     1.0, 1.01},
    {"DCGM_FI_PROF_SM_ACTIVE", "SMACT", "dcgm_fi_prof_sm_active", "SM active", "", 1.0, 1.01},
    {"DCGM_FI_PROF_SM_OCCUPANCY", "SMOCC", "dcgm_fi_prof_sm_occupancy", "SM occupancy", "", 1.0,
     1.01},
    {"DCGM_FI_PROF_PIPE_TENSOR_ACTIVE", "TENSO", "dcgm_fi_prof_pipe_tensor_active", "tensor active",
     "", 1.0, 1.01},
    {"DCGM_FI_PROF_DRAM_ACTIVE", "DRAMA", "dcgm_fi_prof_dram_active", "DRAM active", "", 1.0, 1.01},
    {"DCGM_FI_PROF_PIPE_FP64_ACTIVE", "FP64A", "", "FP64 active", "", 1.0, 1.01},
    {"DCGM_FI_PROF_PIPE_FP32_ACTIVE", "FP32A", "", "FP32 active", "", 1.0, 1.01},
    {"DCGM_FI_PROF_PIPE_FP16_ACTIVE", "FP16A", "", "FP16 active", "", 1.0, 1.01},
    {"DCGM_FI_PROF_PCIE_TX_BYTES", "PCITX", "", "PCIe tx", "B/s", 1.0, kMostRate},
    {"DCGM_FI_PROF_PCIE_RX_BYTES", "PCIRX", "", "PCIe rx", "B/s", 1.0, kMostRate},
    {"DCGM_FI_PROF_NVLINK_TX_BYTES", "NVLTX", "", "NVLink tx", "B/s", 1.0, kMostRate},
    {"DCGM_FI_PROF_NVLINK_RX_BYTES", "NVLRX", "", "NVLink rx", "B/s", 1.0, kMostRate},
    {"DCGM_FI_DEV_NVLINK_BANDWIDTH_TOTAL", "NBWLT", "dcgm_nvlink_bandwidth_total",
     "NVLink of all links", "B/s", 1e6, kMostRate},
    {"DCGM_FI_DEV_FB_USED", "FBUSD", "dcgm_fb_used", "memory used", "B", kMi, kMostBytes},
    {"DCGM_FI_DEV_FB_FREE", "FBFRE", "dcgm_fb_free", "memory free", "B", kMi, kMostBytes},
    {"DCGM_FI_DEV_FB_TOTAL", "FBTTL", "dcgm_fb_total", "memory", "B", kMi, kMostBytes},
    {"DCGM_FI_DEV_POWER_USAGE", "POWER", "dcgm_power_usage", "power", "W", 1.0, kMostWatts},
    {"DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION", "TOTEC", "dcgm_total_energy_consumption", "energy",
     "J", 1e-3, kMostJoules},
    {"DCGM_FI_DEV_SM_CLOCK", "SMCLK", "dcgm_sm_clock", "SM clock", "MHz", 1.0, kMostMegahertz},
    {"DCGM_FI_DEV_MEM_CLOCK", "MMCLK", "dcgm_memory_clock", "memory clock", "MHz", 1.0,
     kMostMegahertz},
    {"DCGM_FI_DEV_GPU_TEMP", "TMPTR", "dcgm_gpu_temp", "temperature", "C", 1.0, kMostDegrees},
    {"DCGM_FI_DEV_MEMORY_TEMP", "MMTMP", "dcgm_memory_temp", "memory temperature", "C", 1.0,
     kMostDegrees},
}};

/// Numbers that mean "no value", and three more above each: DCGM_INT32_BLANK, DCGM_FP64_BLANK and
/// DCGM_INT64_BLANK of dcgm_structs.h. A double represents the last one in steps.
bool is_blank_value(double value) {
  constexpr double kInt32 = 2147483632.0;
  constexpr double kFp64 = 140737488355328.0;
  constexpr double kInt64 = 9.2e18;
  return (value >= kInt32 && value <= kInt32 + 3) || (value >= kFp64 && value <= kFp64 + 3) ||
         value >= kInt64;
}

}  // namespace

const Field* field_of(std::string_view name) {
  const auto found = std::ranges::find_if(kFields, [&](const Field& field) {
    return name == field.id || name == field.column || (!name.empty() && name == field.early);
  });
  return found == kFields.end() ? nullptr : &*found;
}

std::optional<double> value_of(const Field& field, std::string_view text) {
  const auto number = parse<double>(text);
  if (!number || !std::isfinite(*number) || *number < 0.0 || is_blank_value(*number)) {
    return std::nullopt;
  }
  const double value = *number * field.factor;
  return value <= field.most ? std::optional(value) : std::nullopt;
}

bool is_value(std::string_view text) {
  return text == "N/A" || text == "NaN" || text == "+Inf" || text == "-Inf" ||
         parse<double>(text).has_value();
}

}  // namespace vgsim::calibration::logs::dcgm
