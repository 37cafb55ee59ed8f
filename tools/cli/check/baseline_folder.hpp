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

/// A folder of baselines: one file for each scenario, under the path that the scenario has below
/// the folder that is checked, and perhaps "tolerances.json".
class BaselineFolder {
 public:
  /// Looks at what is there; a folder that does not exist has no baselines.
  explicit BaselineFolder(std::string folder);

  /// Its tolerances; none where it has no such file.
  [[nodiscard]] tl::expected<scenario::Tolerances, input::Diagnostics> tolerances() const;

  /// The name of a scenario's baseline in this folder: the longest end of its path that stands
  /// there, at least what lies below the folder that was given. Where none does, its path from the
  /// folder that other baselines have their scenarios in, or else below the one that was given.
  [[nodiscard]] std::string name_for(const ScenarioFile& file) const;

  /// Where that file is, as it is shown.
  [[nodiscard]] std::string path_of(const std::string& name) const;

  /// Names of all baselines that are there, in order.
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

  /// Writes these texts by name and removes those files, or throws OutputError: all are written
  /// beside the old ones before the first takes its place, so that a full disk changes nothing.
  void replace(const std::map<std::string, std::string>& texts,
               const std::vector<std::string>& removed) const;

 private:
  std::string folder_;
  std::vector<std::string> names_;
};

/// The baselines whose scenario is gone: that stand where those of a folder stand that was checked,
/// and are not those of any scenario. `names` are those of the files.
[[nodiscard]] std::vector<std::string> without_scenario(const BaselineFolder& folder,
                                                        const std::vector<ScenarioFile>& files,
                                                        const std::vector<std::string>& names);

}  // namespace vgsim::cli
