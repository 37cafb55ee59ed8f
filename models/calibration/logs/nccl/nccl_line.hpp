#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

/// Lines of NCCL's own messages: "host:pid:tid [device] NCCL INFO text".
namespace vgsim::calibration::logs {

/// A message in a line that can contain parts of others.
struct NcclLine {
  std::string_view before;  ///< the text before the thread's name
  std::string_view thread;  ///< "host:pid:tid", possibly truncated or with parts of another message
  std::string_view text;    ///< of the message, without surrounding blanks
  std::size_t indent = 0;   ///< blanks before the text, as in drawings of trees
  bool is_warning = false;
};

/// The last message in the line. Some releases print a function and a source line between the
/// device and "NCCL"; launchers and NCCL add prefixes and time stamps before the thread.
[[nodiscard]] std::optional<NcclLine> nccl_line_in(std::string_view line);

/// The first message in the line; its text extends to the end of the line.
[[nodiscard]] std::optional<NcclLine> first_nccl_line_in(std::string_view line);

/// The host in "host:pid:tid". Empty if it is truncated.
[[nodiscard]] std::string_view host_in(std::string_view thread);

}  // namespace vgsim::calibration::logs
