#pragma once

#include <string>
#include <vector>

#include "tools/cli/compare/subjects.hpp"
#include "tools/text/room.hpp"

namespace vgsim::cli {

/// Which subject is faster and whether that is certain, what differs in the input, and the figures
/// that matter, on one screen.
[[nodiscard]] std::string comparison_screen(const std::vector<Subject>& subjects,
                                            const text::Room& room);

/// The same verdict, then everything.
[[nodiscard]] std::string comparison_in_full(const std::vector<Subject>& subjects,
                                             const text::Room& room);

}  // namespace vgsim::cli
