#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/scoring/case_kind.hpp"
#include "topology/input/diagnostics.hpp"

namespace vgsim::cli {

/// The .json files of a folder, recursively, sorted by path. Reports folders that cannot be
/// read.
[[nodiscard]] std::vector<std::string> json_files_below(const std::string& dir,
                                                        input::Diagnostics& diagnostics);

/// Files of one kind of measured case.
struct FoundCases {
  const scoring::CaseKind& kind;
  std::vector<scoring::CaseFile> files;
};

/// Opens case files, tables, and *.json of folders, recursively, sorted by path. Folders may
/// contain other files, such as scenarios, if their "$schema" or "format" identifies them.
/// Reports unreadable files, paths without a case, and mixed kinds of cases, which are scored
/// separately.
[[nodiscard]] std::optional<FoundCases> find_cases(const std::vector<std::string>& paths,
                                                   input::Diagnostics& diagnostics);

}  // namespace vgsim::cli
