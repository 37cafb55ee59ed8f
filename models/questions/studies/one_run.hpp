#pragma once

#include <cstdint>
#include <optional>

#include "models/scenario/build/prepared.hpp"
#include "models/scenario/build/run_settings.hpp"
#include "models/scenario/run/result.hpp"
#include "topology/input/file_loader.hpp"

namespace vgsim::scenario {

struct Library;

/// A scenario that studies run again and again, each time with one thing changed.
struct Studied {
  const PreparedScenario& prepared;  ///< as it is, with its inputs noted
  const Library& library;
  const input::FileLoader& load;
  const RunSettings& settings;

  /// The layout of that name. Throws std::out_of_range for another.
  [[nodiscard]] const PreparedLayout& layout(const std::string& name) const;
};

/// A layout alone, run without anything that only describes it (record, inputs, other seeds, next
/// limit). Nothing where it is in error, refused, or ends at a limit.
[[nodiscard]] std::optional<LayoutResult> run_alone(const Studied& studied,
                                                    const Shared<Layout>& layout,
                                                    const RunSettings& settings);

/// Whether so many more runs like that of a layout take seconds at most: by what was simulated, so
/// that the answer is always the same.
[[nodiscard]] bool is_affordable(const LayoutResult& layout, std::size_t runs);

/// An iteration, or the collective of the largest size; nothing where neither ran.
[[nodiscard]] std::optional<double> measured_seconds(const LayoutResult& layout);

/// Index of the layout with the least time_of(); the first of equal ones. Nothing where none runs.
[[nodiscard]] std::optional<std::size_t> fastest_layout(const ScenarioResult& result);

}  // namespace vgsim::scenario
