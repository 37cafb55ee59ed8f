#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "models/scenario/read/document.hpp"
#include "topology/input/diagnostics.hpp"

namespace vgsim::cli {

/// A file that is to be checked.
struct ScenarioFile {
  std::string path;   ///< as it is shown
  std::string below;  ///< from the folder that was given; the file's name if it was given itself
  bool from_folder = false;
  std::optional<scenario::Document> document;
  std::optional<scenario::Document> as_written;  ///< where settings have changed it
  input::Diagnostics errors;  ///< why it could not be read, if there is no document
};

/// A JSON file of a folder that is no scenario.
struct OtherFile {
  std::string path;
  std::string kind;  ///< "catalog", "vgsim.result/1", or empty
};

struct FoundFiles {
  std::vector<ScenarioFile>
      scenarios;  ///< in the order given, those of a folder by path; each once
  std::vector<OtherFile> others;
};

/// What a file says that it is: "scenario", "catalog", "vsphere-rules" by its "$schema", or else
/// its "format"; nothing if it says nothing.
[[nodiscard]] std::optional<std::string> said_kind(const input::Value& document);

/// Reads files, and those of folders and the folders below them. A file that is given itself is
/// taken to be a scenario; in a folder it is one where its "$schema" says so or, without that,
/// where it has hosts and a job, or no JSON can be read from it. `left_out` (a folder of baselines)
/// is not looked into. Reports paths that are not there, and folders without a scenario.
[[nodiscard]] FoundFiles find_scenarios(const std::vector<std::string>& paths,
                                        const std::optional<std::string>& left_out,
                                        input::Diagnostics& diagnostics);

/// A line for each kind of file that is no scenario; empty if there is none.
[[nodiscard]] std::string others_text(const std::vector<OtherFile>& others);

}  // namespace vgsim::cli
