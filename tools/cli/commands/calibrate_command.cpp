#include "tools/cli/commands/calibrate_command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "models/calibration/parameters.hpp"
#include "models/scoring/fit/calibrate.hpp"
#include "tools/cli/config_files.hpp"
#include "tools/cli/exit_code.hpp"
#include "tools/cli/options/common_options.hpp"
#include "tools/cli/output.hpp"
#include "tools/cli/score/fit_inputs.hpp"
#include "tools/cli/text/left_out_text.hpp"
#include "tools/cli/today.hpp"
#include "tools/text/table.hpp"
#include "tools/text/words.hpp"
#include "topology/input/units/unit_strings.hpp"

namespace vgsim::cli {
namespace {

constexpr const char* kCalibrateFooter = R"(
Examples:
  vgsim calibrate measured/ --name my-hosts
  vgsim calibrate all_reduce.log --scenario my-host.json --name my-hosts)";

using input::Diagnostics;
using scenario::CalibrationFit;
using scenario::FittedPoint;

std::string amount_text(const std::string& name, double amount) {
  const std::string words = calibration::in_words(name, amount);
  if (words.ends_with(" ps")) {
    return input::format_time(SimTime{static_cast<std::int64_t>(amount)});
  }
  if (words.ends_with(" B/s")) {
    return input::format_rate(BytesPerSecond{static_cast<std::int64_t>(amount)});
  }
  return fmt::format("{:.3g}", amount);
}

std::string interval_text(const std::string& name, const calibration::Uncertain& quantity) {
  return fmt::format("{} ({} .. {})", amount_text(name, quantity.value),
                     amount_text(name, quantity.low), amount_text(name, quantity.high));
}

std::string errors_text(const scenario::FitErrors& errors) {
  return fmt::format("{} median, {} 90th percentile", text::percent(errors.median),
                     text::percent(errors.p90));
}

std::string fit_text(const CalibrationFit& fit) {
  text::Table parameters;
  parameters.add_row({"parameter", "before", "fitted"});
  for (const auto& each : fit.parameters) {
    parameters.add_row(
        {each.name, interval_text(each.name, each.before), interval_text(each.name, each.after)});
  }
  text::Table errors;
  errors.add_row({"errors", "points", "before", "after"});
  for (const bool held_back : {false, true}) {
    const auto before = fit.errors(held_back, &FittedPoint::before_s);
    const auto after = fit.errors(held_back, &FittedPoint::after_s);
    if (!before || !after) continue;
    errors.add_row({held_back ? "validation" : "fitted", fmt::format("{}", before->points),
                    errors_text(*before), errors_text(*after)});
  }
  std::string text = parameters.text() + "\n" + errors.text();
  text += fmt::format("\nnoise of one measurement: {}\n", text::percent(fit.noise));
  for (const FittedPoint& point : fit.points) {
    if (!point.outlier) continue;
    text += fmt::format("outlier: {}, {}: measured {}, fitted {}\n", point.id, point.what,
                        text::duration_text(point.measured_s), text::duration_text(point.after_s));
  }
  return text;
}

/// The measured machines, in words.
std::string source_of(const std::vector<std::string>& names) {
  std::string text = fmt::format("fit to {}", text::plural(names.size(), "measurement"));
  constexpr std::size_t kNamed = 4;
  for (std::size_t n = 0; n < std::min(names.size(), kNamed); ++n) {
    text += fmt::format("{} {}", n == 0 ? ":" : ",", names[n]);
  }
  return names.size() > kNamed ? text + " ..." : text;
}

}  // namespace

CLI::App* add_calibrate_command(CLI::App& app, CalibrateOptions& options) {
  CLI::App* command = app.add_subcommand(
      "calibrate", "fit the model's parameters to measurements of your machines");
  command
      ->add_option(
          "measurements", options.paths,
          "of vgsim probe; measured cases of collectives or training; output of nvbandwidth, "
          "p2pBandwidthLatencyTest or nccl-tests; or folders of JSON files")
      ->required()
      ->type_name("FILE");
  command
      ->add_option("--scenario", options.scenario,
                   "of the machine that output of nccl-tests is from")
      ->type_name("SCENARIO.json");
  command->add_option("--layout", options.layout, "of that scenario")->type_name("NAME");
  command->add_option("--name", options.name, "of the calibration")
      ->required()
      ->check(CLI::Validator(
          [](const std::string& name) {
            const bool plain = name.find_first_not_of(
                                   "abcdefghijklmnopqrstuvwxyz"
                                   "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.") == std::string::npos;
            return plain ? std::string() : "expected letters, digits, \"-\", \"_\" and \".\"";
          },
          "NAME"))
      ->type_name("NAME");
  const auto add_share = [&](const char* name) {
    return command
        ->add_option(name, options.validation_share,
                     "share of the points kept for validation (default 0.25)")
        ->check(CLI::Range(0.0, 0.9))
        ->type_name("SHARE");
  };
  add_share("--validation-share");
  mark_former_name(add_share("--hold-back"), "--validation-share");
  command->add_option("--date", options.date, "of the measurements (default today)")
      ->type_name("DATE");
  add_out_option(*command, options.out,
                 "write to this file (default configs/calibrations/NAME.json)");
  command->footer(kCalibrateFooter);
  return command;
}

int calibrate_command(const CalibrateOptions& options) {
  const std::string path =
      options.out.value_or(fmt::format("{}/calibrations/{}.json", config_dir(), options.name));
  if (const auto problem = output_problem(path, Destination::kFile)) throw OutputError(*problem);
  const auto library = load_library(config_dir());
  if (!library) return report_errors(library.error());
  Diagnostics diagnostics;
  const FitInputs inputs =
      read_fit_inputs({options.paths, options.scenario, options.layout}, *library, diagnostics);
  if (diagnostics.has_errors()) return report_errors(diagnostics);
  write_message(left_out_text(inputs.left_out));
  const auto fit = scenario::calibrate(inputs.subjects, *library, options.validation_share);
  if (!fit) return report_errors(fit.error());
  const std::string date = options.date.empty() ? today() : options.date;
  write_result(scenario::to_json(*fit, {options.name, date, source_of(inputs.names)}, *library),
               path);
  write_message(fit_text(*fit) + fmt::format("written to {}\n", path));
  return kDone;
}

}  // namespace vgsim::cli
