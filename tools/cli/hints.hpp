#pragma once

#include <string>

#include "topology/input/diagnostics.hpp"

namespace vgsim::cli {

/// What to do about errors that mean more than a wrong key or word: a request given as a scenario,
/// MIG as a mode, a folder of configurations that is not the program's own. A line each, empty if
/// there are none.
[[nodiscard]] std::string hints_about(const input::Diagnostics& errors);

}  // namespace vgsim::cli
