#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tools/cli/screen/layout_rows.hpp"

namespace vgsim::cli {

/// What is put into a table, and the room for it.
struct SideBySide {
  std::vector<std::string> names;     ///< of the layouts
  std::vector<text::LayoutRow> rows;  ///< their figures
  std::vector<std::size_t> order;     ///< of the layouts, where not all of them fit
  std::size_t columns = 80;
  std::size_t lines = 10;
};

/// Layouts as columns where they fit with names that can be read, else as rows, each with as many
/// figures as fit, the important ones first. Names are shortened, lines without a blank at the end.
[[nodiscard]] std::vector<std::string> side_by_side(const SideBySide& table);

/// Layouts as rows, however few.
[[nodiscard]] std::vector<std::string> one_below_the_other(const SideBySide& table);

/// Layouts as columns; nothing where they do not fit. All rows are shown if `lines` is 0.
[[nodiscard]] std::vector<std::string> in_columns(const SideBySide& table);

}  // namespace vgsim::cli
