#pragma once

#include <optional>
#include <string_view>

/// Lines of NCCL's own messages: "host:pid:tid [device] NCCL INFO text".
namespace vgsim::calibration::logs {

/// A message as it stands in a line, into which it may have run.
struct NcclLine {
  std::string_view before;  ///< what stands before the word that names the thread
  std::string_view thread;  ///< "host:pid:tid"; with what ran into it, or cut
  std::string_view text;    ///< of the message
  bool is_warning = false;
};

/// The last message in the line. Between the device and "NCCL" some releases name a function and a
/// line of NCCL's source, before the thread launchers and NCCL put prefixes and time stamps.
[[nodiscard]] std::optional<NcclLine> nccl_line_in(std::string_view line);

/// The first message in the line; its text goes on to the end of the line.
[[nodiscard]] std::optional<NcclLine> first_nccl_line_in(std::string_view line);

/// The host in "host:pid:tid". Empty where that is cut.
[[nodiscard]] std::string_view host_in(std::string_view thread);

}  // namespace vgsim::calibration::logs
