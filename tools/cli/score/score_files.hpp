#pragma once

#include <string>
#include <utility>
#include <vector>

#include "models/questions/read/measured_case.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/file_loader.hpp"
#include "topology/input/source_file.hpp"

namespace vgsim::cli {

/// A case, and how to load what its scenario names.
struct CaseFile {
  scenario::MeasuredCase measured;
  input::FileLoader load;
};

/// The .json files of a folder and those below it, sorted by path. Reports a folder that cannot be
/// read.
[[nodiscard]] std::vector<std::string> json_files_below(const std::string& dir,
                                                        input::Diagnostics& diagnostics);

/// The files among these, and those of folders (*.json, sorted by path), whose text names a format.
[[nodiscard]] std::vector<input::SourcePtr> files_of_format(const std::vector<std::string>& paths,
                                                            const std::string& format,
                                                            input::Diagnostics& diagnostics);

/// The cases in such files, each by `read`; reports what cannot be read.
template <class Case, class Read>
std::vector<Case> read_cases_of(const std::vector<std::string>& paths, const std::string& format,
                                const Read& read, input::Diagnostics& diagnostics) {
  std::vector<Case> cases;
  for (const input::SourcePtr& file : files_of_format(paths, format, diagnostics)) {
    auto one = read(file);
    if (one) {
      cases.push_back(std::move(*one));
    } else {
      diagnostics.append(one.error());
    }
  }
  return cases;
}

/// Reads case files, and those of folders (*.json, also in folders below, sorted by path). In a
/// folder a file may stand beside the cases if its "$schema" or its "format" says that it is
/// something else, such as a scenario or what `vgsim probe` measured. Reports whatever cannot be
/// read, paths without a case, ids that stand twice.
[[nodiscard]] std::vector<CaseFile> read_case_files(const std::vector<std::string>& paths,
                                                    input::Diagnostics& diagnostics);

}  // namespace vgsim::cli
