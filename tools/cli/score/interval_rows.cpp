#include "tools/cli/score/interval_rows.hpp"

#include <fmt/core.h>

#include "tools/text/words.hpp"

namespace vgsim::cli {

std::vector<std::string> interval_head(const std::string& of) {
  return {of, "groups", "inside", "", "width", "score"};
}

std::vector<std::string> interval_cells(const std::string& name,
                                        const scenario::IntervalSummary& summary) {
  return {name,
          fmt::format("{}", summary.groups),
          percent(summary.inside),
          summary.is_too_narrow() ? "too narrow" : "",
          fmt::format("x{:.2f}", summary.width),
          fmt::format("x{:.2f}", summary.score)};
}

}  // namespace vgsim::cli
