#include "tools/cli/options/score_options.hpp"

#include <CLI/CLI.hpp>

#include "tools/cli/options/common_options.hpp"

namespace vgsim::cli {
namespace {

constexpr const char* kScoreFooter = R"(
Examples:
  vgsim score tests/cases
  vgsim score --from-log all_reduce.log --scenario my-host.json)";

void add_selection(CLI::App& command, ScoreOptions& score) {
  CLI::Option* paths =
      command
          .add_option("cases", score.paths,
                      "case files, folders that are searched for them, or tables of measured "
                      "kernels (.csv)")
          ->type_name("DIR|FILE");
  command
      .add_option("--calibration", score.calibration,
                  "predict with this calibration: a file, or a name in configs/calibrations/")
      ->type_name("NAME");
  CLI::Option* only_class =
      command.add_option("--only", score.only_class, "only cases of this class of machines")
          ->type_name("CLASS");
  CLI::Option* only_case =
      command.add_option("--case", score.only_case, "only this case, point by point")
          ->type_name("ID");
  command.add_flag("--keep-going", score.keep_going,
                   "score the other cases although some cannot be run; still exits with 2");
  command.add_flag("--uncalibrated", score.uncalibrated,
                   "of training: do not fit what GPUs reach to the anchors of the cases");
  command
      .add_option("--draws", score.draws,
                  "of training: runs with parameters drawn from their intervals, to score the "
                  "interval of one point in each series")
      ->check(CLI::Range(std::uint64_t{0}, std::uint64_t{1'000}))
      ->type_name("N");
  command
      .add_option("--folds", score.folds,
                  "of training: predict each case with constants of this file that were fitted "
                  "without it")
      ->type_name("FILE");
  CLI::Option* log =
      command.add_option("--from-log", score.log, "output of nccl-tests, instead of case files")
          ->type_name("LOG")
          ->excludes(paths)
          ->excludes(only_class)
          ->excludes(only_case);
  CLI::Option* scenario =
      command.add_option("--scenario", score.scenario, "the scenario that the log was measured on")
          ->type_name("SCENARIO.json")
          ->needs(log);
  log->needs(scenario);
  command.add_option("--layout", score.layout, "layout of the scenario that was measured")
      ->type_name("NAME")
      ->needs(log);
  command.add_flag("--in-place", score.in_place, "take the log's in-place times")->needs(log);
  add_output_option(command, "--write-case", score.write_case,
                    "store the log as a case in this file")
      ->needs(log);
  command
      .add_option("--bars", score.bars, "exit with 1 where the score misses a limit of this file")
      ->type_name("FILE")
      ->excludes(only_class)
      ->excludes(only_case)
      ->excludes(log);
}

}  // namespace

CLI::App* add_score_command(CLI::App& app, Options& options) {
  CLI::App* command =
      app.add_subcommand("score", "compare predictions with measured cases, or with a log");
  ScoreOptions& score = options.score;
  add_selection(*command, score);
  command->add_option("--baseline", score.baseline, "show the change against this stored score")
      ->type_name("FILE");
  add_out_option(*command, score.output, "store the score in this file, for --baseline");
  add_output_option(*command, "--predictions", score.predictions,
                    "write the predicted times of all points, also of blind ones");
  add_format_option(*command, options.format);
  command->footer(kScoreFooter);
  return command;
}

}  // namespace vgsim::cli
