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

/// A file with cases, and a loader for the files that it names.
struct CaseFile {
  input::SourcePtr source;
  input::FileLoader load;
};

/// Options of a prediction.
struct PredictionSettings {
  const scenario::Library& library;
  scenario::RunSettings run;
  bool calibrated = true;  ///< fit achieved rates of GPUs and hosts to the anchors of the case
  /// draws of the parameters, for intervals and for differences between points; of training jobs
  /// for two points of each series
  std::uint64_t draws = 0;
};

/// A case that was read. `predict` compares each of its points with its prediction; errors exclude
/// the whole case. Thread-safe.
struct Case {
  CaseHead head;
  std::function<tl::expected<Prediction, input::Diagnostics>(const PredictionSettings&)> predict;
};

/// A kind of measured case: a row of case_kinds().
struct CaseKind {
  const char* name;  ///< name of the kind: "training"
  /// the "format" of its JSON files; the file name extension of tables: ".csv"
  const char* format;
  input::Shape (*shape)();  ///< of such a JSON file; nullptr for tables
  /// Reads all files of the kind that are scored together. Reports unreadable files.
  std::vector<Case> (*read)(const std::vector<CaseFile>& files, const scenario::Library& library,
                            input::Diagnostics& diagnostics);
  Weighting weighting;
  std::vector<std::string> parts;    ///< parts that are always shown; classes of cases are added
  std::vector<std::string> columns;  ///< of tables: names of figures (score_text.cpp), or tags
  const char* factor_tag = "";       ///< tag of points whose errors are shown as factors
  bool has_anchors = false;          ///< whether "calibrated" and folds apply
  bool has_draws = false;            ///< whether "draws" apply
  const char* legend;                ///< explanation of the parts and of the null model

  [[nodiscard]] bool is_table() const { return shape == nullptr; }
};

[[nodiscard]] const std::vector<CaseKind>& case_kinds();

/// The kind with that name. Throws std::out_of_range if there is none.
[[nodiscard]] const CaseKind& case_kind(const std::string& name);

/// CaseKind::read for files with one case each; `read_one` reads a CaseFile.
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
