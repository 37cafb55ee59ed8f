#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "models/scenario/build/run_settings.hpp"
#include "models/scenario/run/result.hpp"
#include "topology/input/file_loader.hpp"
#include "topology/input/value.hpp"

namespace vgsim::scenario {

struct Library;

/// One layout of a document as a scenario of its own, with single names instead of ranges; nothing
/// where the document has errors or no such layout.
[[nodiscard]] std::optional<input::Value> document_of_layout(const input::Value& document,
                                                             const std::string& layout);

/// The first layout of a document, run without anything that only describes it (record, inputs,
/// other seeds, next limit). Nothing where it is in error, refused, or ends at a limit.
[[nodiscard]] std::optional<LayoutResult> run_alone(const input::Value& document,
                                                    const Library& library,
                                                    const input::FileLoader& load,
                                                    const RunSettings& settings);

/// Whether so many more runs like that of a layout take seconds at most: by what was simulated, so
/// that the answer is always the same.
[[nodiscard]] bool is_affordable(const LayoutResult& layout, std::size_t runs);

/// An iteration, or the collective of the largest size; nothing where neither ran.
[[nodiscard]] std::optional<double> measured_seconds(const LayoutResult& layout);

/// Index of the layout with the least time_of(); the first of equal ones. Nothing where none runs.
[[nodiscard]] std::optional<std::size_t> fastest_layout(const ScenarioResult& result);

}  // namespace vgsim::scenario
