#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "topology/input/diagnostics.hpp"
#include "topology/input/source_file.hpp"

namespace vgsim::vsphere::import {

/// Whether a text is a ZIP archive, as .xlsx files are. Never throws.
[[nodiscard]] bool is_xlsx(std::string_view text);

/// A sheet of a workbook.
struct Sheet {
  std::string name;
  /// Its cells as CSV, a line for each of its rows, empty ones too, so that the line that a message
  /// names is the row; its path is "export.xlsx!vInfo".
  input::SourcePtr table;
};

/// Reads the sheets of an Office Open XML workbook (ECMA-376: .xlsx) in their order: all that
/// `wanted` names, or all if it names none. Of formulas the result that was saved is read; line
/// ends within cells become blanks.
///
/// Errors: E531 for files that are not workbooks, E501 to E504 for bad XML, E532 for parts that are
/// missing or damaged, E533 beyond 64 MiB a part, 3 million elements a sheet or 4096 columns.
[[nodiscard]] tl::expected<std::vector<Sheet>, input::Diagnostics> read_xlsx(
    const input::SourcePtr& source, const std::function<bool(std::string_view)>& wanted);

}  // namespace vgsim::vsphere::import
