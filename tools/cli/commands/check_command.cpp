#include "tools/cli/commands/check_command.hpp"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <map>
#include <utility>

#include "models/questions/check/change_words.hpp"
#include "tools/cli/check/baseline_check.hpp"
#include "tools/cli/check/checked_run.hpp"
#include "tools/cli/check/scenario_files.hpp"
#include "tools/cli/check/writers.hpp"
#include "tools/cli/config_files.hpp"
#include "tools/cli/exit_code.hpp"
#include "tools/cli/options/common_options.hpp"
#include "tools/cli/output.hpp"
#include "tools/cli/scenario_input.hpp"
#include "tools/cli/text/progress.hpp"
#include "tools/machine/machine_memory.hpp"

namespace vgsim::cli {
namespace {

constexpr const char* kCheckExamples = R"(
Examples:
  vgsim check configs/scenarios --baseline configs/scenarios/baselines
  vgsim check mine.json --baseline baselines --update
  vgsim check --measured all_reduce.log --scenario my-host.json --tolerance 0.5

Without a tolerance no figure may change. A file
tolerances.json in the folder of baselines has those of single figures:
  { "default": "0.1 %", "iteration_time_s": "1 %", "busbw_GBps": "2 %" }

Exit codes: 0 all hold, 1 something failed or drifted, 2 bad input, 4 a limit
stopped a scenario. With --update drifted figures are written to the baselines
and do not fail.)";

const std::map<std::string, CheckFormat>& formats() {
  static const std::map<std::string, CheckFormat> table = {{"text", CheckFormat::kText},
                                                           {"json", CheckFormat::kJson},
                                                           {"junit", CheckFormat::kJunit},
                                                           {"github", CheckFormat::kGithub},
                                                           {"md", CheckFormat::kMarkdown}};
  return table;
}

void add_output_options(CLI::App& command, CheckOptions& options) {
  command
      .add_option_function<std::string>(
          "--format", [&options](const std::string& word) { options.format = formats().at(word); },
          "text (default), json, junit, github (annotations; the summary goes to "
          "$GITHUB_STEP_SUMMARY) or md")
      ->check(CLI::IsMember({"text", "json", "junit", "github", "md"}))
      ->type_name("FORMAT");
  add_out_option(command, options.out);
  add_output_option(command, "--junit", options.junit, "write JUnit XML to this file as well");
  add_output_option(command, "--markdown", options.markdown, "write Markdown to this file as well");
  add_quiet_option(command, options.quiet);
}

void add_measured_options(CLI::App& command, CheckOptions& options, CLI::Option* paths) {
  MeasuredCheck& measured = options.measured;
  CLI::Option* file =
      command
          .add_option("--measured", measured.file,
                      "compare the model with this measurement instead: of vgsim probe, a measured "
                      "case, or output of nccl-tests, nvbandwidth ...")
          ->type_name("FILE")
          ->excludes(paths);
  command
      .add_option("--scenario", measured.scenario, "scenario of the machine that the log is from")
      ->type_name("SCENARIO.json")
      ->needs(file);
  command.add_option("--layout", measured.layout, "layout of that scenario")
      ->type_name("NAME")
      ->needs(file);
  command
      .add_option("--calibration", measured.calibration,
                  "predict measurements with this calibration: a file, or a name in "
                  "configs/calibrations/")
      ->type_name("NAME")
      ->needs(file);
}

/// "0.15" or "15 %".
std::optional<double> read_share(const std::string& text) {
  if (const auto percentage = scenario::read_percentage(text)) return percentage;
  double share = 0.0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, share);
  const bool is_share = error == std::errc() && rest == end && share >= 0 && share <= 10;
  return is_share ? std::optional(share) : std::nullopt;
}

int usage_error(const std::string& what) {
  write_message(fmt::format("vgsim: {}\nSee vgsim check --help.\n", what));
  return kBadInput;
}

int check_measurement(const CheckOptions& options) {
  if (options.format != CheckFormat::kText || options.junit || options.markdown) {
    return usage_error("scores are available as text only");
  }
  MeasuredCheck measured = options.measured;
  measured.out = options.out;
  if (options.tolerance) {
    const auto share = read_share(*options.tolerance);
    if (!share) {
      return usage_error(
          fmt::format("cannot read --tolerance \"{}\"; expected a share such as \"15 %\" or 0.15",
                      *options.tolerance));
    }
    measured.tolerance = *share;
  }
  return check_measured(measured);
}

/// Reproducible settings: without explaining simulations, and without limits of the machine.
scenario::RunSettings settings_of_checks() {
  scenario::RunSettings settings;
  settings.next_limit = false;
  settings.memory_limit = machine::machine_memory();
  return settings;
}

std::vector<CheckedRun> run_all(const std::vector<ScenarioFile>& files,
                                const scenario::Library& library, bool quiet) {
  const scenario::RunSettings settings = settings_of_checks();
  ProgressLine line;
  std::vector<CheckedRun> runs;
  for (const ScenarioFile& file : files) {
    if (!quiet) {
      line.show([&](double seconds) {
        return fmt::format("{:.0f} s: {} of {}, {}", seconds, runs.size() + 1, files.size(),
                           file.path);
      });
    }
    runs.push_back(run_checked(file, library, settings));
  }
  return runs;
}

void set_values(const std::vector<std::string>& settings, std::vector<ScenarioFile>& files) {
  if (settings.empty()) return;
  for (ScenarioFile& file : files) {
    if (!file.document) continue;
    auto changed = as_scenario_input(file.path, *file.document, settings);
    if (changed) {
      file.as_written = std::exchange(file.document, changed->document);
    } else {
      file.document.reset();
      file.errors = changed.error();
    }
  }
}

std::string written_as(CheckFormat format, const CheckReport& report) {
  switch (format) {
    case CheckFormat::kText:
      return check_text(report);
    case CheckFormat::kJson:
      return check_json(report);
    case CheckFormat::kJunit:
      return check_junit(report);
    case CheckFormat::kGithub:
      return check_text(report) + check_annotations(report);
    case CheckFormat::kMarkdown:
      return check_markdown(report);
  }
  return {};
}

/// The step summary of GitHub Actions; earlier steps may have written to it.
void append_step_summary(const CheckReport& report) {
  const char* file = std::getenv("GITHUB_STEP_SUMMARY");
  if (file == nullptr || *file == '\0') return;
  std::ofstream summary(file, std::ios::app | std::ios::binary);
  summary << check_markdown(report);
  summary.flush();
  if (!summary) throw OutputError(fmt::format("cannot write {}", file));
}

void write_reports(const CheckOptions& options, const CheckReport& report) {
  if (options.junit) write_result(check_junit(report), options.junit);
  if (options.markdown) write_result(check_markdown(report), options.markdown);
  if (options.format == CheckFormat::kGithub) append_step_summary(report);
  write_result(written_as(options.format, report), options.out);
}

int check_scenarios(const CheckOptions& options, std::optional<double> tolerance) {
  const auto library = load_library(config_dir());
  if (!library) return report_errors(library.error());
  input::Diagnostics diagnostics;
  FoundFiles found = find_scenarios(options.paths, options.baseline, diagnostics);
  set_values(options.set, found.scenarios);
  write_message(others_text(found.others));
  std::vector<CheckedRun> runs = run_all(found.scenarios, *library, options.quiet);
  if (options.baseline) {
    check_baselines(BaselineFolder(*options.baseline), found.scenarios, tolerance, options.update,
                    runs, diagnostics);
  }
  CheckReport report;
  report.updating = options.update;
  for (CheckedRun& run : runs) {
    write_message(input::render(run.scenario.errors));
    report.scenarios.push_back(std::move(run.scenario));
  }
  write_reports(options, report);
  if (options.update && (diagnostics.has_errors() || count(report, Outcome::kError) > 0)) {
    write_message("vgsim: no baseline was written\n");
  }
  return diagnostics.has_errors() ? report_errors(diagnostics) : exit_code_of(report);
}

}  // namespace

CLI::App* add_check_command(CLI::App& app, CheckOptions& options) {
  CLI::App* command =
      app.add_subcommand("check", "check scenarios against their expectations and baselines");
  command->footer(kCheckExamples);
  CLI::Option* paths = command
                           ->add_option("scenarios", options.paths,
                                        "scenario files, or folders that are searched for them")
                           ->type_name("FILE|DIR");
  CLI::Option* baseline =
      command
          ->add_option("--baseline", options.baseline,
                       "compare with the baselines in this folder, a file for each scenario")
          ->type_name("DIR")
          ->needs(paths);
  CLI::Option* update =
      command
          ->add_flag("--update", options.update,
                     "write the baselines, all or none, and show what has changed")
          ->needs(baseline);
  add_set_option(*command, options.set)->excludes(update);
  command
      ->add_option("--tolerance", options.tolerance,
                   "largest deviation from the baseline (default: none); with --measured the "
                   "largest median error (default \"15 %\")")
      ->type_name("SHARE");
  add_output_options(*command, options);
  add_measured_options(*command, options, paths);
  return command;
}

int check_command(const CheckOptions& options) {
  if (!options.measured.file.empty()) return check_measurement(options);
  if (options.paths.empty()) return usage_error("scenarios to check, or --measured, are missing");
  if (!options.tolerance) return check_scenarios(options, std::nullopt);
  if (!options.baseline) return usage_error("--tolerance is of a --baseline");
  const auto tolerance = scenario::read_percentage(*options.tolerance);
  if (!tolerance) {
    return usage_error(fmt::format(
        "cannot read --tolerance \"{}\"; expected a share such as \"1 %\"", *options.tolerance));
  }
  return check_scenarios(options, tolerance);
}

}  // namespace vgsim::cli
