#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "models/scenario/read/document.hpp"
#include "topology/input/diagnostics.hpp"

namespace vgsim::cli {

/// A file to check.
struct ScenarioFile {
  std::string path;   ///< as shown
  std::string below;  ///< path below the given folder; the file's name if it was given itself
  bool from_folder = false;
  std::optional<scenario::Document> document;
  std::optional<scenario::Document> as_written;  ///< before settings were applied
  input::Diagnostics errors;                     ///< why it could not be read
};

/// A JSON file of a folder that is not a scenario.
struct OtherFile {
  std::string path;
  std::string kind;  ///< "catalog", "vgsim.result/1", or empty
};

struct FoundFiles {
  std::vector<ScenarioFile>
      scenarios;  ///< in the given order, those of a folder by path; each once
  std::vector<OtherFile> others;
};

/// The declared kind of a file: "scenario", "catalog", "vsphere-rules" by its "$schema", or
/// else its "format"; nothing without either.
[[nodiscard]] std::optional<std::string> declared_kind(const input::Value& document);

/// Reads files and, recursively, those of folders. A file that is given itself is a scenario;
/// in a folder it is one if its "$schema" states so or, without that, if it has hosts and a
/// job, or is not valid JSON. `left_out` (a folder of baselines) is skipped. Reports missing
/// paths, and folders without a scenario.
[[nodiscard]] FoundFiles find_scenarios(const std::vector<std::string>& paths,
                                        const std::optional<std::string>& left_out,
                                        input::Diagnostics& diagnostics);

/// A line for each kind of file that is not a scenario; empty if there is none.
[[nodiscard]] std::string others_text(const std::vector<OtherFile>& others);

}  // namespace vgsim::cli
