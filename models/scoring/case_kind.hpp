#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "models/scenario/build/run_settings.hpp"
#include "models/scoring/errors.hpp"
#include "models/scoring/series.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/file_loader.hpp"
#include "topology/input/shapes/shape.hpp"
#include "topology/input/source_file.hpp"

namespace vgsim::scenario {
struct Library;
}

namespace vgsim::scoring {

/// A file with cases, and how to load what it names.
struct CaseFile {
  input::SourcePtr source;
  input::FileLoader load;
};

/// How a case is predicted.
struct PredictionSettings {
  const scenario::Library& library;
  scenario::RunSettings run;
  bool calibrated = true;   ///< fit what GPUs and hosts reach to the anchors of the case
  std::uint64_t draws = 0;  ///< of the parameters, for an interval of one point in each series
};

/// A case that was read. `predict` compares each of its points with its prediction; errors keep the
/// whole case from being compared. It may be called from several threads.
struct Case {
  CaseHead head;
  std::function<tl::expected<Prediction, input::Diagnostics>(const PredictionSettings&)> predict;
};

/// A kind of measured case: a row of case_kinds().
struct CaseKind {
  const char* name;         ///< what the cases are of: "training"
  const char* format;       ///< the "format" of its JSON files; of tables their ending: ".csv"
  input::Shape (*shape)();  ///< of such a JSON file; nullptr for tables
  /// Reads all files of the kind that are scored together. Reports what cannot be read.
  std::vector<Case> (*read)(const std::vector<CaseFile>& files, const scenario::Library& library,
                            input::Diagnostics& diagnostics);
  Weighting weighting;
  std::vector<std::string> parts;    ///< that are always shown; classes of cases come by themselves
  std::vector<std::string> columns;  ///< of tables: names of figures (score_text.cpp), or tags
  const char* factor_tag = "";       ///< errors of points with this tag are shown as factors
  bool has_anchors = false;          ///< "calibrated", "draws" and folds have a meaning
  const char* legend;                ///< what its parts and its null model are

  [[nodiscard]] bool is_table() const { return shape == nullptr; }
};

[[nodiscard]] const std::vector<CaseKind>& case_kinds();

/// The kind of that name. Throws std::out_of_range without one.
[[nodiscard]] const CaseKind& case_kind(const std::string& name);

/// CaseKind::read for files that hold one case each, which `read_one` makes of a CaseFile.
template <auto read_one>
std::vector<Case> read_each(const std::vector<CaseFile>& files, const scenario::Library&,
                            input::Diagnostics& diagnostics) {
  std::vector<Case> cases;
  for (const CaseFile& file : files) {
    auto one = read_one(file);
    if (one) {
      cases.push_back(std::move(*one));
    } else {
      diagnostics.append(one.error());
    }
  }
  return cases;
}

}  // namespace vgsim::scoring
