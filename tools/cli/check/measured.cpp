#include "tools/cli/check/measured.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "models/calibration/statistics.hpp"
#include "tools/cli/calibrated_library.hpp"
#include "tools/cli/exit_code.hpp"
#include "tools/cli/output.hpp"
#include "tools/cli/score/fit_inputs.hpp"
#include "tools/cli/text/left_out_text.hpp"
#include "tools/text/table.hpp"
#include "tools/text/words.hpp"

namespace vgsim::cli {
namespace {

using input::Diagnostics;
using scenario::Observation;

double error_of(const Observation& each) { return each.predicted_s / each.measured_s - 1; }

tl::expected<std::vector<Observation>, Diagnostics> observe(const FitInputs& inputs,
                                                            const scenario::Library& library) {
  Diagnostics diagnostics;
  std::vector<Observation> all;
  for (const auto& subject : inputs.subjects) {
    const auto own = subject->observe(library);
    if (own) {
      all.insert(all.end(), own->begin(), own->end());
    } else {
      diagnostics.append(own.error());
    }
  }
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
  return all;
}

/// All points; the worst of many.
std::string points_text(std::vector<Observation> points) {
  constexpr std::size_t kShown = 40;
  const std::size_t all = points.size();
  if (all > kShown) {
    std::stable_sort(points.begin(), points.end(), [](const auto& a, const auto& b) {
      return std::fabs(error_of(a)) > std::fabs(error_of(b));
    });
    points.resize(kShown);
  }
  text::Table table;
  table.add_row({"measurement", "point", "measured", "predicted", "error"});
  for (const Observation& each : points) {
    table.add_row({each.id, each.what, text::duration_text(each.measured_s),
                   text::duration_text(each.predicted_s),
                   fmt::format("{:+.1f} %", 100 * error_of(each))});
  }
  std::string text = table.text();
  if (all > kShown) text += fmt::format("{} more are nearer\n", all - kShown);
  return text;
}

/// "12 of 14 measurements lie in their interval", of those with an interval.
std::string inside_text(const std::vector<Observation>& points) {
  std::size_t known = 0;
  std::size_t inside = 0;
  for (const Observation& each : points) {
    if (each.high_s <= 0) continue;
    ++known;
    inside += each.low_s <= each.measured_s && each.measured_s <= each.high_s ? 1 : 0;
  }
  if (known == 0) return {};
  return fmt::format("; {} of {} measurements lie in their interval", inside, known);
}

}  // namespace

int check_measured(const MeasuredCheck& check) {
  const auto library = load_calibrated_library(check.calibration);
  if (!library) return report_errors(library.error());
  Diagnostics diagnostics;
  const FitInputs inputs =
      read_fit_inputs({{check.file}, check.scenario, check.layout}, *library, diagnostics);
  if (diagnostics.has_errors()) return report_errors(diagnostics);
  write_message(left_out_text(inputs.left_out));
  const auto points = observe(inputs, *library);
  if (!points) return report_errors(points.error());
  if (points->empty()) {
    write_message("vgsim: nothing was measured that the model predicts\n");
    return kBadInput;
  }
  std::vector<double> errors;
  for (const Observation& each : *points) errors.push_back(std::fabs(error_of(each)));
  const double error = calibration::median(errors);
  const bool drifted = error > check.tolerance;
  write_result(
      points_text(*points) + fmt::format("\n{}: {} median error, at most {} allowed{}\n",
                                         drifted ? "drifted" : "holds", text::percent(error),
                                         text::percent(check.tolerance), inside_text(*points)),
      check.out);
  return drifted ? kExpectationFailed : kDone;
}

}  // namespace vgsim::cli
