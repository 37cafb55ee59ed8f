#pragma once

#include <cstddef>
#include <string>
#include <variant>

#include "models/calibration/device_work.hpp"

namespace vgsim::probe {

/// Commands of rank 0.
struct PrepareCall {
  calibration::CollectiveCall call;
  std::string id;  ///< of the call's communicator
};
struct RunCall {
  std::size_t repeats = 1;
};
struct DropCall {};
struct EndJob {};
using JobCommand = std::variant<PrepareCall, RunCall, DropCall, EndJob>;

[[nodiscard]] std::string message_of(const JobCommand& command);
/// Throws DeviceError for an unknown command.
[[nodiscard]] JobCommand command_of(const std::string& message);

}  // namespace vgsim::probe
