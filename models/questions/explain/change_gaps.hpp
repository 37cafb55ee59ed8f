#pragma once

#include <vector>

#include "models/questions/explain/best_changes.hpp"
#include "models/questions/explain/changes/change_context.hpp"

namespace vgsim::scenario {

/// Draws of a change at first; if they leave its gain undecided, it gets all draws of the layout.
inline constexpr std::uint64_t kFirstDraws = 8;

/// Adds TriedChange::gap to helping changes: those that keep the training, then the others, each
/// with the largest gain first, for as many as is little work. Nothing without draws of the layout.
/// `settings` are those of its draws.
void add_gaps(const ChangeContext& at, const input::FileLoader& load, const RunSettings& settings,
              std::vector<TriedChange>& tried, ComputedParts* parts = nullptr);

}  // namespace vgsim::scenario
