#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <vector>

#include "models/calibration/statistics.hpp"
#include "tools/cli/calibrated_library.hpp"
#include "tools/cli/commands.hpp"
#include "tools/cli/exit_code.hpp"
#include "tools/cli/output.hpp"
#include "tools/cli/score_text.hpp"
#include "tools/cli/scored_log.hpp"
#include "tools/cli/words.hpp"

namespace vgsim::cli {
namespace {

using input::Diagnostics;

/// A log of nccl-tests starts with neither bracket.
bool looks_like_json(const std::string& path) {
  std::ifstream file(path);
  char first = 0;
  file >> first;
  return first == '{';
}

/// What was measured: cases, or the log of a scenario.
tl::expected<std::vector<scenario::ScoredCase>, Diagnostics> score_measured(
    const CheckOptions& check, const scenario::Library& library) {
  Diagnostics diagnostics;
  if (check.scenario) {
    auto scored = score_log(
        {check.measured, *check.scenario, check.layout, false, check.measured + ".case.json"},
        library);
    if (!scored) return tl::unexpected(scored.error());
    write_message(input::render(scored->warnings));
    return std::vector{std::move(scored->scored)};
  }
  std::error_code ignored;
  if (std::filesystem::is_regular_file(check.measured, ignored) &&
      !looks_like_json(check.measured)) {
    diagnostics.error("E411", {}, "", fmt::format("\"{}\" is no measured case", check.measured),
                      "JSON of vgsim.case/1; or, for a log of nccl-tests, --scenario");
    return tl::unexpected(diagnostics);
  }
  std::vector<scenario::ScoredCase> all;
  for (const CaseFile& file : read_case_files({check.measured}, diagnostics)) {
    auto scored = score_case(file, library);
    if (scored) {
      all.push_back(std::move(*scored));
    } else {
      diagnostics.append(scored.error());
    }
  }
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
  return all;
}

}  // namespace

int check_command(const Options& options) {
  const CheckOptions& check = options.check;
  const auto library = load_calibrated_library(check.calibration);
  if (!library) return report_errors(library.error());
  const auto scored = score_measured(check, *library);
  if (!scored) return report_errors(scored.error());
  std::vector<double> errors;
  std::size_t inside = 0;
  for (const scenario::ScoredCase& each : *scored) {
    for (const scenario::PointError& point : each.errors) {
      errors.push_back(std::fabs(point.error));
      inside += point.inside ? 1 : 0;
    }
  }
  if (errors.empty()) {
    write_message("vgsim: nothing was measured\n");
    return kBadInput;
  }
  const double error = calibration::median(errors);
  const bool drifted = error > check.tolerance;
  write_result(score_text(*scored, std::nullopt) +
                   fmt::format("\n{}: {} median error, at most {} allowed; {} of {} measurements "
                               "lie in their interval\n",
                               drifted ? "drifted" : "holds", percent(error),
                               percent(check.tolerance), inside, errors.size()),
               options.out);
  return drifted ? kExpectationFailed : kDone;
}

}  // namespace vgsim::cli
