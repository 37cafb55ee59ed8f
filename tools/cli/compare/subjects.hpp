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

/// A layout to compare with others.
struct Subject {
  std::string file;
  std::string name;   ///< of the layout
  std::string label;  ///< its name in the comparison
  /// Its scenario; nothing for a result without one.
  std::optional<scenario::Document> document;
  nlohmann::ordered_json result;  ///< an object of "layouts" in vgsim.result/2
  std::vector<scenario::Metric> metrics;
  /// The compared time, and that of each draw; no draws if they cannot be paired. Nothing for
  /// a refused layout.
  std::optional<double> time_s;
  std::vector<std::optional<double>> drawn_s;
  scenario::Limit bottleneck;
  nlohmann::ordered_json seed;  ///< of the draws; null: the default
};

/// Options for all files.
struct SubjectsWanted {
  std::vector<std::string> settings;   ///< "POINTER=VALUE"
  std::vector<std::string> layouts;    ///< of files that are named without one; empty: all
  std::optional<std::uint64_t> draws;  ///< of the uncertain parameters
};

struct Subjects {
  std::vector<Subject> good;
  bool complete = true;    ///< no layout was left out for errors
  bool simulated = false;  ///< at least one; the others are saved results
};

/// Reads "FILE" or "FILE#LAYOUT", "-" being standard input: saved results as they are,
/// scenarios by running them. Collects the errors of all files; a scenario is used without its
/// layouts that have errors, which are written.
[[nodiscard]] tl::expected<Subjects, input::Diagnostics> read_subjects(
    const std::vector<std::string>& arguments, const SubjectsWanted& wanted,
    const scenario::Library& library);

}  // namespace vgsim::cli
