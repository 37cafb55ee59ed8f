#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "models/scenario/answer/bottleneck.hpp"
#include "models/scenario/answer/metrics.hpp"
#include "models/scenario/read/document.hpp"
#include "topology/input/diagnostics.hpp"

namespace vgsim::scenario {
struct Library;
}

namespace vgsim::cli {

/// A layout to be compared with others.
struct Subject {
  std::string file;
  std::string name;   ///< of the layout
  std::string label;  ///< what it is called beside the others
  /// Its scenario; nothing of a result that does not hold it.
  std::optional<scenario::Document> document;
  nlohmann::ordered_json result;  ///< an object of "layouts" in vgsim.result/1
  std::vector<scenario::Metric> metrics;
  /// What subjects are compared by, and the same in each draw; no draws where subjects were not
  /// drawn alike. Nothing of a layout that was refused.
  std::optional<double> time_s;
  std::vector<std::optional<double>> drawn_s;
  scenario::Limit held_back_by;
  nlohmann::ordered_json seed;  ///< of the draws; null: the usual one
};

/// What is wanted of all files.
struct SubjectsWanted {
  std::vector<std::string> settings;   ///< "POINTER=VALUE"
  std::vector<std::string> layouts;    ///< of files that are named without one; empty: all
  std::optional<std::uint64_t> draws;  ///< of the uncertain parameters
};

struct Subjects {
  std::vector<Subject> good;
  bool complete = true;    ///< whether no layout was left out for its errors
  bool simulated = false;  ///< any: the others are saved results
};

/// Reads "FILE" or "FILE#LAYOUT", "-" being standard input: saved results as they are, scenarios by
/// running them. Errors of all files together; a scenario of which some layouts are wrong is taken
/// without them, and what is wrong is written.
[[nodiscard]] tl::expected<Subjects, input::Diagnostics> read_subjects(
    const std::vector<std::string>& arguments, const SubjectsWanted& wanted,
    const scenario::Library& library);

}  // namespace vgsim::cli
