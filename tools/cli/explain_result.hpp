#pragma once

#include <string>
#include <vector>

#include "models/scenario/explain/best_changes.hpp"
#include "models/scenario/result.hpp"

namespace vgsim::cli {

/// A layout with what was tried to make it faster.
struct ExplainedLayout {
  scenario::LayoutResult result;
  std::vector<scenario::TriedChange> tried;
};

/// Why an iteration takes as long as it does, and what would help most; `most` changes are shown.
[[nodiscard]] std::string explanation_text(const std::string& scenario,
                                           const std::vector<ExplainedLayout>& layouts,
                                           const std::string& currency, std::size_t most);

/// The same, with everything that was tried, as `vgsim.explanation/1`.
[[nodiscard]] std::string explanation_json(const std::string& scenario,
                                           const std::vector<ExplainedLayout>& layouts);

}  // namespace vgsim::cli
