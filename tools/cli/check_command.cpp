#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "models/scenario/layout_library.hpp"
#include "models/scenario/score/statistics.hpp"
#include "tools/cli/commands.hpp"
#include "tools/cli/config_files.hpp"
#include "tools/cli/exit_code.hpp"
#include "tools/cli/output.hpp"
#include "tools/cli/score_text.hpp"
#include "tools/cli/scored_log.hpp"
#include "tools/cli/words.hpp"

namespace vgsim::cli {
namespace {

using input::Diagnostics;

int report_errors(const Diagnostics& diagnostics) {
  write_message(input::render(diagnostics));
  return kBadInput;
}

/// What was measured, as a case: "vgsim.case/1" as it is, else the log of a scenario.
tl::expected<scenario::ScoredCase, Diagnostics> score_measured(const CheckOptions& check,
                                                               const scenario::Library& library) {
  if (!check.scenario) {
    Diagnostics diagnostics;
    auto files = read_case_files({check.measured}, diagnostics);
    if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
    return score_case(files.front(), library);
  }
  auto scored = score_log(
      {check.measured, *check.scenario, check.layout, false, check.measured + ".case.json"},
      library);
  if (!scored) return tl::unexpected(scored.error());
  write_message(input::render(scored->warnings));
  return std::move(scored->scored);
}

}  // namespace

int check_command(const Options& options) {
  const CheckOptions& check = options.check;
  auto library = load_library(config_dir());
  if (!library) return report_errors(library.error());
  if (check.calibration) {
    Diagnostics diagnostics;
    const auto calibration = scenario::find_calibration(
        input::Value::make_string(*check.calibration), *library, loader_beside("."), diagnostics);
    if (!calibration) return report_errors(diagnostics);
    library = scenario::calibrated(*library, *calibration);
  }
  const auto scored = score_measured(check, *library);
  if (!scored) return report_errors(scored.error());
  std::vector<double> errors;
  std::size_t inside = 0;
  for (const scenario::PointError& point : scored->errors) {
    errors.push_back(std::fabs(point.error));
    inside += point.inside ? 1 : 0;
  }
  if (errors.empty()) {
    write_message("vgsim: nothing was measured\n");
    return kBadInput;
  }
  const double error = scenario::median(errors);
  const bool drifted = error > check.tolerance;
  write_result(score_text({*scored}, std::nullopt) +
                   fmt::format("\n{}: {} median error, at most {} allowed; {} of {} measurements "
                               "lie in their interval\n",
                               drifted ? "drifted" : "holds", percent(error),
                               percent(check.tolerance), inside, errors.size()),
               options.out);
  return drifted ? kExpectationFailed : kDone;
}

}  // namespace vgsim::cli
