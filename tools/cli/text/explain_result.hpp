#pragma once

#include <string>
#include <vector>

#include "models/questions/explain/best_changes.hpp"
#include "models/questions/studies/tornado.hpp"
#include "models/scenario/run/result.hpp"
#include "models/training/kernel_uses.hpp"

namespace vgsim::cli {

/// A layout with what was tried to make it faster.
struct ExplainedLayout {
  scenario::LayoutResult result;
  std::vector<scenario::TriedChange> tried;
  std::vector<training::KernelUse> kernels;        ///< of a rank, where the models tell them
  std::vector<scenario::WorthMeasuring> measure;   ///< what makes the time better known
  std::vector<scenario::TriedChange> assumptions;  ///< that matter, the dearest first
};

/// What the critical path is made of: what was done and which link, if one, held it back.
struct Cause {
  std::string what;
  SimTime time{};
};

/// The longest first.
[[nodiscard]] std::vector<Cause> causes_of(const std::vector<scenario::PathStep>& path);

/// Why an iteration takes as long as it does, and what would help most; `most` changes are shown.
[[nodiscard]] std::string explanation_text(const std::string& scenario,
                                           const std::vector<ExplainedLayout>& layouts,
                                           const std::string& currency, std::size_t most);

/// The same, with everything that was tried, as `vgsim.explanation/1`.
[[nodiscard]] std::string explanation_json(const std::string& scenario,
                                           const std::vector<ExplainedLayout>& layouts);

}  // namespace vgsim::cli
