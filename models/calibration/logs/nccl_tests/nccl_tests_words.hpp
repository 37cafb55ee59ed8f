#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

/// Names and lines in the text and JSON output of nccl-tests.
namespace vgsim::calibration::logs::nccl_tests {

inline constexpr const char* kBadLog = "E451";
inline constexpr const char* kCutRow = "W451";
inline constexpr const char* kWrongData = "W452";

/// The longest accepted time, in microseconds: 104 days, the limit of SimTime.
inline constexpr double kLongestTime = 9e12;

/// Bandwidths have two decimals: from 10 GB/s on they are accurate to 0.1 %.
inline constexpr double kLeastBandwidth = 10.0;

/// A rank and its GPU.
struct Device {
  std::size_t rank = 0;
  std::string host;
  std::string model;
};

/// The device in "#  Rank  3 Group  0 Pid  101 on  box device  3 [0x66] NVIDIA H100 80GB HBM3",
/// before 2022 without the group.
[[nodiscard]] std::optional<Device> device_in(std::string_view line);

/// The first word "..._perf" of the line, translated to the name in a job.
[[nodiscard]] std::optional<std::string> collective_in(std::string_view line);

/// Whether the word names an element type.
[[nodiscard]] bool is_type(std::string_view word);

/// A release from NCCL's number for it: 2708 is 2.7.8, 22105 is 2.21.5.
[[nodiscard]] std::string version_text(int number);

/// The NCCL release in the line, if any.
[[nodiscard]] std::optional<std::string> nccl_version_in(std::string_view line);

}  // namespace vgsim::calibration::logs::nccl_tests
