#pragma once

#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "models/scenario/read/document.hpp"
#include "topology/input/file_loader.hpp"

namespace vgsim::studio {

/// A scenario to open, with the contents of the files that it names.
struct Opening {
  std::string name;  ///< for files: "bert-large-4xr750xa"
  scenario::Document document;
  std::map<std::string, std::string> files;  ///< by the names in the scenario
};

/// A file that the page sends.
struct SentFile {
  std::string name;
  std::string bytes;
};

/// A sentence on imported files, under a heading such as "found" or "assumed".
struct ImportNote {
  std::string heading;
  std::string text;
};

/// A job of a trace.
struct TracedJob {
  std::string file;     ///< name of the network's file
  std::string network;  ///< its text
  std::string members;  ///< of the job, as JSON: "network", "batch_per_gpu", "precision", ...
};

/// What sent files describe.
struct ImportedFiles {
  std::optional<Opening> opening;  ///< nothing if they describe neither host nor VM
  std::optional<TracedJob> job;    ///< for the open scenario
  std::vector<ImportNote> notes;
};

/// Scenarios from outside the page. Errors are sentences for the user.
struct Sources {
  template <class T>
  using Read = tl::expected<T, std::string>;

  /// A shipped scenario by its name, or a saved session by its path.
  std::function<Read<Opening>(const std::string& name)> stored;
  /// The scenario of the form of `vgsim new`, by the names of its fields.
  std::function<Read<Opening>(const std::map<std::string, std::string>& answers)> created;
  /// Dumps of hosts and VMs, one scenario, or the trace of a job.
  std::function<Read<ImportedFiles>(const std::vector<SentFile>& files)> imported;
  /// The fields of the form with their defaults, choices, and what is wrong with the answers.
  std::function<nlohmann::ordered_json(const std::map<std::string, std::string>& answers)> form;
  /// The shipped scenarios: name, title, description.
  std::function<nlohmann::ordered_json()> gallery;
};

/// A scenario, or a saved result with the files that it contains; nothing if it is neither.
[[nodiscard]] std::optional<Opening> opening_of(const scenario::Document& sent,
                                                const std::string& name);

/// Loads only these files: requests of a browser can name any.
[[nodiscard]] input::FileLoader loader_of(std::map<std::string, std::string> files);

/// The text of a scenario, with a newline at the end; with files it is a saved result without
/// layouts, which all commands read.
[[nodiscard]] std::string file_text(const scenario::Document& document,
                                    const std::map<std::string, std::string>& files);

}  // namespace vgsim::studio
