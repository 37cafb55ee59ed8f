#pragma once

#include <string>

#include "models/scenario/run/result.hpp"
#include "tools/text/room.hpp"

namespace vgsim::cli {

/// What `vgsim validate` found, on one screen: which layouts may run, and what refuses the others.
[[nodiscard]] std::string validation_screen(const scenario::ScenarioResult& result,
                                            const text::Room& room);

/// The same verdict, then everything.
[[nodiscard]] std::string validation_in_full(const scenario::ScenarioResult& result,
                                             const text::Room& room);

}  // namespace vgsim::cli
