#pragma once

#include <string>

#include "models/questions/advise/advice.hpp"
#include "tools/text/room.hpp"

namespace vgsim::cli {

/// The best choice first, the others beside it and what was tried, on one screen.
[[nodiscard]] std::string advice_screen(const scenario::AdviceRequest& request,
                                        const scenario::Advice& advice, const text::Room& room);

/// The same verdict, then everything.
[[nodiscard]] std::string advice_in_full(const scenario::AdviceRequest& request,
                                         const scenario::Advice& advice, const text::Room& room);

/// The same as `vgsim.advice-result/1`: JSON with a newline at the end.
[[nodiscard]] std::string advice_json(const scenario::AdviceRequest& request,
                                      const scenario::Advice& advice);

}  // namespace vgsim::cli
