#pragma once

#include <string_view>

namespace vgsim::report {

/// The style sheet. Colours have roles: compute, communication, waiting, optimizer and data of
/// an iteration; "s0" to "s5" for layouts; "load0" to "load5" for utilization of links; "part0"
/// to "part5" for parts of memory; "on-..." for text on them. The dark theme has separate
/// colours.
[[nodiscard]] std::string_view style();

}  // namespace vgsim::report
