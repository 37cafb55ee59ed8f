#include "models/calibration/logs/log_problems.hpp"

#include <fmt/core.h>

#include <utility>

namespace vgsim::calibration::logs {

void tell_nothing_read(input::Diagnostics& errors, const input::SourcePtr& file,
                       std::string_view tool, const std::vector<LeftOut>& left_out,
                       std::string expected) {
  std::string message = fmt::format("no measurement of {} could be read", tool);
  if (!left_out.empty()) {
    message += fmt::format("; left out: {} ({})", left_out.front().what, left_out.front().why);
  }
  errors.error("E621", {file, 0, 1}, "", std::move(message), std::move(expected));
}

void tell_other_devices(input::Diagnostics& errors, const input::SourcePtr& file,
                        std::size_t offset, std::string_view tool) {
  errors.error(kMixedRuns, {file, offset, 1}, "",
               fmt::format("the file mixes outputs of {} on different devices", tool),
               "runs on the devices that the first list names");
}

void tell_no_devices(input::Diagnostics& warnings, const input::SourcePtr& file,
                     std::string_view tool, std::size_t gpus, std::string_view tables) {
  warnings.warning(
      "W621", {file, 0, 1}, "",
      fmt::format("{} lists no device: {} GPUs, as its {} have columns", tool, gpus, tables));
}

}  // namespace vgsim::calibration::logs
