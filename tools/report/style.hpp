#pragma once

#include <string_view>

namespace vgsim::report {

/// The style sheet. Colours have roles: compute, communication, waiting, optimizer and data of an
/// iteration; "s0" to "s5" for layouts; "load0" to "load5" for how far links are used; "part0" to
/// "part5" for what fills memory. "on-..." is text on them. In the dark they are others.
[[nodiscard]] std::string_view style();

}  // namespace vgsim::report
