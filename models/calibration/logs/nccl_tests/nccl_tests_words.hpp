#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

/// Names and lines that nccl-tests prints, in its text as in its JSON.
namespace vgsim::calibration::logs::nccl_tests {

inline constexpr const char* kBadLog = "E451";
inline constexpr const char* kCutRow = "W451";
inline constexpr const char* kWrongData = "W452";

/// The longest time that a log is believed, in microseconds: 104 days, what a SimTime can hold.
inline constexpr double kLongestTime = 9e12;

/// Bandwidths stand with two digits after the point: from 10 GB/s on they are good to 0.1 %.
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

/// The first word "..._perf" of the line, by the name that a job has for that collective.
[[nodiscard]] std::optional<std::string> collective_in(std::string_view line);

/// Whether the word names a type of elements.
[[nodiscard]] bool is_type(std::string_view word);

/// A release from the number that NCCL has for it: 2708 is 2.7.8, 22105 is 2.21.5.
[[nodiscard]] std::string version_text(int number);

/// The release of NCCL that the line tells, if any.
[[nodiscard]] std::optional<std::string> nccl_version_in(std::string_view line);

}  // namespace vgsim::calibration::logs::nccl_tests
