#pragma once

#include <string>

#include "models/scenario/advise/advice.hpp"

namespace vgsim::cli {

/// The Pareto set as a table, what each choice sets, and what was tried and refused by which rule.
[[nodiscard]] std::string advice_text(const scenario::AdviceRequest& request,
                                      const scenario::Advice& advice);

/// The same as `vgsim.advice-result/1`: JSON with a newline at the end.
[[nodiscard]] std::string advice_json(const scenario::AdviceRequest& request,
                                      const scenario::Advice& advice);

}  // namespace vgsim::cli
