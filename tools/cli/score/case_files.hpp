#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/scoring/case_kind.hpp"
#include "topology/input/diagnostics.hpp"

namespace vgsim::cli {

/// The .json files of a folder and those below it, sorted by path. Reports a folder that cannot be
/// read.
[[nodiscard]] std::vector<std::string> json_files_below(const std::string& dir,
                                                        input::Diagnostics& diagnostics);

/// Files of one kind of measured case.
struct FoundCases {
  const scoring::CaseKind& kind;
  std::vector<scoring::CaseFile> files;
};

/// Opens case files, tables, and the *.json of folders and of folders below, sorted by path. In a
/// folder other files may lie beside the cases if their "$schema" or "format" states that they are
/// something else, such as a scenario. Reports what cannot be read, paths without a case, and cases
/// of several kinds: they are scored apart.
[[nodiscard]] std::optional<FoundCases> find_cases(const std::vector<std::string>& paths,
                                                   input::Diagnostics& diagnostics);

}  // namespace vgsim::cli
