#pragma once

#include <string>
#include <vector>

#include "tools/cli/compare/subjects.hpp"
#include "tools/text/terminal_size.hpp"

namespace vgsim::cli {

/// The faster subject and its confidence, differences of the input, and the main figures, on
/// one screen.
[[nodiscard]] std::string comparison_screen(const std::vector<Subject>& subjects,
                                            const text::TerminalSize& terminal);

/// The same verdict, then all figures.
[[nodiscard]] std::string comparison_in_full(const std::vector<Subject>& subjects,
                                             const text::TerminalSize& terminal);

}  // namespace vgsim::cli
