#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/questions/read/baseline.hpp"
#include "models/questions/read/tolerances.hpp"
#include "tools/cli/check/scenario_files.hpp"
#include "topology/input/diagnostics.hpp"

namespace vgsim::cli {

/// A folder of baselines: one file per scenario, under the scenario's path below the checked
/// folder, and optionally "tolerances.json".
class BaselineFolder {
 public:
  /// Lists the folder; one that does not exist has no baselines.
  explicit BaselineFolder(std::string folder);

  /// Its tolerances; none without such a file.
  [[nodiscard]] tl::expected<scenario::Tolerances, input::Diagnostics> tolerances() const;

  /// The name of a scenario's baseline in this folder: the longest suffix of its path that
  /// exists, at least its path below the given folder. If none exists, its path from the
  /// folder that other baselines are relative to, or else below the given one.
  [[nodiscard]] std::string name_for(const ScenarioFile& file) const;

  /// The path of that file, as shown.
  [[nodiscard]] std::string path_of(const std::string& name) const;

  /// Names of all existing baselines, in order.
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

  /// Writes these texts by name and removes those files, or throws OutputError. All texts are
  /// written to temporary files before the first is renamed, so that a full disk changes
  /// nothing.
  void replace(const std::map<std::string, std::string>& texts,
               const std::vector<std::string>& removed) const;

 private:
  std::string folder_;
  std::vector<std::string> names_;
};

/// Baselines whose scenario is gone: those in the place of baselines of a checked folder that
/// belong to none of the scenarios. `names` are those of the files.
[[nodiscard]] std::vector<std::string> without_scenario(const BaselineFolder& folder,
                                                        const std::vector<ScenarioFile>& files,
                                                        const std::vector<std::string>& names);

}  // namespace vgsim::cli
