#pragma once

#include <string>

#include "models/scenario/run/result.hpp"
#include "tools/text/terminal_size.hpp"

namespace vgsim::cli {

/// The result of `vgsim validate` on one screen: supported layouts, and why the others are refused.
[[nodiscard]] std::string validation_screen(const scenario::ScenarioResult& result,
                                            const text::TerminalSize& terminal);

/// The same verdict, then all details.
[[nodiscard]] std::string validation_in_full(const scenario::ScenarioResult& result,
                                             const text::TerminalSize& terminal);

}  // namespace vgsim::cli
