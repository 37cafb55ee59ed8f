#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/scenario/run/result.hpp"
#include "tools/report/page.hpp"
#include "tools/report/report.hpp"

namespace vgsim::report {

/// The layouts that were simulated, in the order of the file.
[[nodiscard]] std::vector<const scenario::LayoutResult*> simulated(const Report& report);

/// The simulated layouts, the fastest first.
[[nodiscard]] std::vector<const scenario::LayoutResult*> by_speed(const Report& report);

/// The fastest of the first kind of work, whose best change the report has; nullptr if none
/// runs.
[[nodiscard]] const scenario::LayoutResult* fastest_of(const Report& report);

/// "268.2 ms an iteration", "341 GB/s busbw at 8 GiB": the figure that a layout is ranked by.
[[nodiscard]] std::string speed_words(const scenario::LayoutResult& layout);

/// Whether two layouts have equal times and equal use of links.
[[nodiscard]] bool same_run(const scenario::LayoutResult& a, const scenario::LayoutResult& b);

/// Layouts to draw: the fastest first, one of each group with equal runs, at most that many,
/// and only those for which `has` holds.
[[nodiscard]] std::vector<const scenario::LayoutResult*> worth_drawing(
    const Report& report, std::size_t most, bool (*has)(const scenario::LayoutResult&));

/// A kind of links as written in sentences: "NIC", "PCIe".
[[nodiscard]] std::string kind_words(const std::string& kind);

/// The name in quotes, as it may contain commas.
[[nodiscard]] std::string named(const scenario::LayoutResult& layout);
[[nodiscard]] std::string named(const std::string& name);

/// "a", "a and b", "a, b and c".
[[nodiscard]] std::string listed(const std::vector<std::string>& words);

/// The figures of several layouts, each with a heading; all but the first are folded.
[[nodiscard]] std::vector<Block> first_open(std::vector<Figure> figures,
                                            const std::string& summary);

}  // namespace vgsim::report
