#include "models/scoring/read/folds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "models/calibration/read/parameter_files.hpp"
#include "topology/input/json_reader.hpp"
#include "topology/input/record.hpp"
#include "topology/input/report.hpp"

namespace vgsim::scoring {
namespace {

using namespace input;

struct FoldKeys {
  std::vector<At<std::string>> cases;
  Value parameters;
};

struct FoldsKeys {
  Value format;
  std::vector<FoldKeys> folds;
};

Decoder<FoldKeys> fold_decoder() {
  return record<FoldKeys>({
      key("cases", &FoldKeys::cases, list(placed(name()), 1))
          .required()
          .describe("ids of the cases that are predicted with these parameters"),
      key("parameters", &FoldKeys::parameters, as_written(calibration::parameter_amounts_shape()))
          .required()
          .describe("fitted to all other cases"),
  });
}

void verify_cases(const FoldsKeys& read, const Value&, Diagnostics& diagnostics) {
  std::set<std::string> known;
  for (const FoldKeys& fold : read.folds) {
    for (const At<std::string>& id : fold.cases) {
      if (known.insert(*id).second) continue;
      report(diagnostics, id, fmt::format("case \"{}\" is in two folds", *id));
    }
  }
}

const Decoder<FoldsKeys>& folds_decoder() {
  static const Decoder<FoldsKeys> decoder = record<FoldsKeys>(
      {
          key("format", &FoldsKeys::format, as_written(enum_shape({kFoldsFormat}))).required(),
          key("folds", &FoldsKeys::folds, list(fold_decoder(), 2)).required(),
      },
      verify_cases);
  return decoder;
}

}  // namespace

Shape folds_shape() { return folds_decoder().shape; }

tl::expected<Folds, Diagnostics> read_folds(const SourcePtr& file) {
  const auto document = read_json(file);
  if (!document) return tl::unexpected(document.error());
  Diagnostics diagnostics;
  check(*document, folds_decoder().shape, diagnostics);
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
  const FoldsKeys read = folds_decoder().read(*document, diagnostics);
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
  Folds folds;
  for (const FoldKeys& from : read.folds) {
    Fold& fold = folds.emplace_back();
    for (const At<std::string>& id : from.cases) fold.cases.push_back(*id);
    fold.parameters = calibration::read_parameter_amounts(from.parameters);
  }
  return folds;
}

const std::map<std::string, double>* parameters_of(const Folds& folds, const std::string& id) {
  for (const Fold& fold : folds) {
    if (std::find(fold.cases.begin(), fold.cases.end(), id) != fold.cases.end()) {
      return &fold.parameters;
    }
  }
  return nullptr;
}

}  // namespace vgsim::scoring
