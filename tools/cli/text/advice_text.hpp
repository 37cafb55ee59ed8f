#pragma once

#include <string>

#include "models/questions/advise/advice.hpp"
#include "tools/text/terminal_size.hpp"

namespace vgsim::cli {

/// The best choice, the other Pareto-optimal ones and the number of tried ones, on one screen.
[[nodiscard]] std::string advice_screen(const scenario::AdviceRequest& request,
                                        const scenario::Advice& advice,
                                        const text::TerminalSize& terminal);

/// The same verdict, then all details.
[[nodiscard]] std::string advice_in_full(const scenario::AdviceRequest& request,
                                         const scenario::Advice& advice,
                                         const text::TerminalSize& terminal);

/// The same as `vgsim.advice-result/1`: JSON with a newline at the end.
[[nodiscard]] std::string advice_json(const scenario::AdviceRequest& request,
                                      const scenario::Advice& advice);

}  // namespace vgsim::cli
