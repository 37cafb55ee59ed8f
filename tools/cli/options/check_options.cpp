#include <CLI/CLI.hpp>
#include <map>

#include "tools/cli/commands/check_command.hpp"
#include "tools/cli/options/common_options.hpp"

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

Exit codes: 0 all holds, 1 something failed or drifted, 2 bad input, 4 a limit
stopped a scenario.
With --update what drifted goes into the baselines and fails nothing.)";

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
                      "hold the model against this instead: of vgsim probe, a measured case, or "
                      "output of nccl-tests, nvbandwidth ...")
          ->type_name("FILE")
          ->excludes(paths);
  command.add_option("--scenario", measured.scenario, "the scenario that the log was measured on")
      ->type_name("SCENARIO.json")
      ->needs(file);
  command.add_option("--layout", measured.layout, "the layout of that scenario")
      ->type_name("NAME")
      ->needs(file);
  command
      .add_option("--calibration", measured.calibration,
                  "predict measurements with this calibration: a file, or a name in "
                  "configs/calibrations/")
      ->type_name("NAME")
      ->needs(file);
}

}  // namespace

CLI::App* add_check_command(CLI::App& app, CheckOptions& options) {
  CLI::App* command = app.add_subcommand(
      "check", "fail where scenarios leave what is expected of them, or what they were before");
  command->footer(kCheckExamples);
  CLI::Option* paths = command
                           ->add_option("scenarios", options.paths,
                                        "scenario files, or folders that are searched for them")
                           ->type_name("FILE|DIR");
  CLI::Option* baseline =
      command
          ->add_option("--baseline", options.baseline,
                       "hold the results against those in this folder, a file for each scenario")
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
                   "how far a figure may lie from its baseline (default: not at all); with "
                   "--measured the largest median error (default \"15 %\")")
      ->type_name("SHARE");
  add_output_options(*command, options);
  add_measured_options(*command, options, paths);
  return command;
}

}  // namespace vgsim::cli
