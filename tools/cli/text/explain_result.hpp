#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/questions/explain/best_changes.hpp"
#include "models/questions/explain/numa_costs.hpp"
#include "models/questions/studies/deciding.hpp"
#include "models/questions/studies/tornado.hpp"
#include "models/scenario/run/result.hpp"
#include "models/training/kernel_uses.hpp"

namespace vgsim::cli {

/// A layout with its tried changes.
struct ExplainedLayout {
  scenario::LayoutResult result;
  std::vector<scenario::TriedChange> tried;
  std::vector<training::KernelUse> kernels;            ///< of a rank, if modelled
  std::optional<scenario::Tornado> tornado;            ///< if it is cheap
  std::optional<scenario::UndecidedLayout> undecided;  ///< if it may be as fast as the fastest
  std::vector<scenario::TriedChange> assumptions;      ///< that matter, largest effect first
  std::vector<scenario::NumaCost> numa;                ///< of VMs apart from their GPUs
};

/// A kind of step on the critical path, with the link that limits it, if any.
struct Cause {
  std::string what;
  SimTime time{};
};

/// The longest first.
[[nodiscard]] std::vector<Cause> causes_of(const std::vector<scenario::PathStep>& path);

/// Why an iteration takes as long as it does, and its best improvements; `most` changes are shown.
[[nodiscard]] std::string explanation_text(const std::string& scenario,
                                           const std::vector<ExplainedLayout>& layouts,
                                           const std::string& currency, std::size_t most);

/// The same, with all tried changes, as `vgsim.explanation/2`.
[[nodiscard]] std::string explanation_json(const std::string& scenario,
                                           const std::vector<ExplainedLayout>& layouts);

}  // namespace vgsim::cli
