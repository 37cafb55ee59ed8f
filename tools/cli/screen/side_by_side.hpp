#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tools/cli/screen/layout_rows.hpp"

namespace vgsim::cli {

/// The content of a table, and the space for it.
struct SideBySide {
  std::vector<std::string> names;     ///< of the layouts
  std::vector<text::LayoutRow> rows;  ///< their figures
  std::vector<std::size_t> order;     ///< of the layouts to show, if not all fit
  std::size_t columns = 80;
  std::size_t lines = 10;
};

/// Layouts as columns if they fit with readable names, else as rows, each with as many figures
/// as fit, important ones first. Names are shortened, lines have no trailing blanks.
[[nodiscard]] std::vector<std::string> side_by_side(const SideBySide& table);

/// Layouts as rows, also for few.
[[nodiscard]] std::vector<std::string> one_below_the_other(const SideBySide& table);

/// Layouts as columns; empty if they do not fit. All rows are shown if `lines` is 0.
[[nodiscard]] std::vector<std::string> in_columns(const SideBySide& table);

}  // namespace vgsim::cli
