#include "tools/cli/commands/score_command.hpp"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "models/scoring/case_kind.hpp"
#include "models/scoring/read/folds.hpp"
#include "models/scoring/read/stored_score.hpp"
#include "models/scoring/read/thresholds.hpp"
#include "models/scoring/run_cases.hpp"
#include "models/scoring/score_file.hpp"
#include "tools/cli/calibrated_library.hpp"
#include "tools/cli/exit_code.hpp"
#include "tools/cli/options/common_options.hpp"
#include "tools/cli/output.hpp"
#include "tools/cli/score/case_files.hpp"
#include "tools/cli/score/score_text.hpp"
#include "tools/cli/score/scored_log.hpp"
#include "tools/machine/machine_memory.hpp"
#include "topology/input/load_source.hpp"
#include "topology/input/report.hpp"
#include "topology/input/suggest.hpp"

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
                   "score the other cases if some cannot be run; still exits with 2");
  command.add_flag("--uncalibrated", score.uncalibrated,
                   "of training: do not calibrate GPUs by the anchors of the cases");
  command
      .add_option("--draws", score.draws,
                  "of training and virtualization: runs with uncertain parameters drawn at random, "
                  "to score 90 % intervals and the order of points (of training: of two points in "
                  "each series)")
      ->check(CLI::Range(std::uint64_t{0}, std::uint64_t{1'000}))
      ->type_name("N");
  command
      .add_option("--folds", score.folds,
                  "of training: predict each case with the constants of this file that were fitted "
                  "without it")
      ->type_name("FILE");
  CLI::Option* log =
      command.add_option("--from-log", score.log, "output of nccl-tests, instead of case files")
          ->type_name("LOG")
          ->excludes(paths)
          ->excludes(only_class)
          ->excludes(only_case);
  CLI::Option* scenario =
      command
          .add_option("--scenario", score.scenario, "scenario of the machine that the log is from")
          ->type_name("SCENARIO.json")
          ->needs(log);
  log->needs(scenario);
  command.add_option("--layout", score.layout, "measured layout of the scenario")
      ->type_name("NAME")
      ->needs(log);
  command.add_flag("--in-place", score.in_place, "take the log's in-place times")->needs(log);
  add_output_option(command, "--write-case", score.write_case,
                    "store the log as a case in this file")
      ->needs(log);
  const auto add_thresholds = [&](const char* name) {
    return command
        .add_option(name, score.thresholds,
                    "exit with 1 if the score misses a threshold of this file")
        ->type_name("FILE")
        ->excludes(only_class)
        ->excludes(only_case)
        ->excludes(log);
  };
  add_thresholds("--thresholds");
  mark_former_name(add_thresholds("--bars"), "--thresholds");
}

using input::Diagnostics;
using scoring::Case;
using scoring::CaseKind;
using scoring::PredictionSettings;
using scoring::Score;
using scoring::ScoredCase;

int report_all_errors(const Diagnostics& diagnostics) {
  write_message(input::render(diagnostics, Diagnostics::kCapacity));
  return kBadInput;
}

/// The content of a file; nothing if none is given or it cannot be read.
template <class Read>
auto read_given(const std::optional<std::string>& path, const Read& read, Diagnostics& diagnostics)
    -> std::optional<typename decltype(read(input::SourcePtr()))::value_type> {
  if (!path) return std::nullopt;
  const auto file = input::load_source(*path);
  auto content = file ? read(*file) : tl::unexpected(file.error());
  if (content) return std::move(*content);
  diagnostics.append(content.error());
  return std::nullopt;
}

void check_options(const ScoreOptions& options, const CaseKind& kind, Diagnostics& diagnostics) {
  const auto refuse = [&](const char* name, const char* kinds) {
    diagnostics.error(
        "E411", {}, "",
        fmt::format("{} is for cases of {}, these are of {}", name, kinds, kind.name));
  };
  if (!kind.has_anchors && options.uncalibrated) refuse("--uncalibrated", "training");
  if (!kind.has_anchors && options.folds) refuse("--folds", "training");
  if (!kind.has_draws && options.draws > 0) refuse("--draws", "training and virtualization");
}

void check_ids(const std::vector<Case>& cases, Diagnostics& diagnostics) {
  std::map<std::string, input::Origin> first;
  for (const Case& each : cases) {
    const auto [it, is_new] = first.emplace(each.head.id, each.head.origin);
    if (is_new) continue;
    input::report(diagnostics, each.head.origin,
                  fmt::format("a second case is called \"{}\"; the first is in {}", each.head.id,
                              it->second.location.source->path));
  }
}

/// Keeps the selected cases.
void select_cases(const ScoreOptions& options, std::vector<Case>& cases, Diagnostics& diagnostics) {
  const auto keep = [&](const char* what, const std::optional<std::string>& wanted,
                        std::string scoring::CaseHead::*name) {
    if (!wanted) return;
    std::vector<std::string> names;
    for (const Case& each : cases) names.push_back(each.head.*name);
    if (std::find(names.begin(), names.end(), *wanted) == names.end()) {
      diagnostics.error("E411", {}, "", fmt::format("no {} is called \"{}\"", what, *wanted),
                        "one of the cases that were read", input::suggest(*wanted, names));
    }
    std::erase_if(cases, [&](const Case& each) { return each.head.*name != *wanted; });
  };
  keep("class", options.only_class, &scoring::CaseHead::class_name);
  keep("case", options.only_case, &scoring::CaseHead::id);
}

/// Settings of each case: with the constants of its fold, if folds are given.
std::vector<PredictionSettings> settings_of(const ScoreOptions& options,
                                            const std::vector<Case>& cases,
                                            const scenario::Library& library,
                                            Diagnostics& diagnostics) {
  scenario::RunSettings run;
  run.memory_limit = machine::machine_memory();
  std::vector<PredictionSettings> settings(
      cases.size(), PredictionSettings{library, run, !options.uncalibrated, options.draws});
  const auto folds = read_given(options.folds, scoring::read_folds, diagnostics);
  if (!folds) return settings;
  for (std::size_t c = 0; c < cases.size(); ++c) {
    const std::string& id = cases[c].head.id;
    if (const auto* parameters = scoring::parameters_of(*folds, id)) {
      settings[c].run.parameters = *parameters;
    } else {
      diagnostics.error("E411", {}, "",
                        fmt::format("case \"{}\" is in no fold of {}", id, *options.folds),
                        "folds that name every case: run tests/training-cases/refit.py");
    }
  }
  return settings;
}

/// A score with the thresholds, baseline and calibration that the options name, still without
/// points.
Score empty_score(const ScoreOptions& options, const CaseKind& kind, Diagnostics& diagnostics) {
  return {kind,
          {},
          read_given(options.baseline, scoring::read_medians, diagnostics),
          read_given(options.thresholds, scoring::read_thresholds, diagnostics),
          {}};
}

/// Writes all requested output.
int write_score(const ScoreOptions& options, Score score) {
  if (score.thresholds) {
    score.missed = scoring::missed_thresholds(score.cases, score.kind.weighting, *score.thresholds);
  }
  const std::string json = scoring::to_json(score);
  if (options.output) write_result(json, options.output);
  if (options.predictions)
    write_result(scoring::predictions_json(score.cases), options.predictions);
  write_result(options.format == Format::kJson ? json : score_text(score), std::nullopt);
  for (const scoring::MissedThreshold& missed : score.missed) {
    write_message("missed: " + scoring::describe(missed) + "\n");
  }
  return score.missed.empty() ? kDone : kExpectationFailed;
}

int score_files(const ScoreOptions& options, const scenario::Library& library) {
  if (options.paths.empty()) {
    write_message("vgsim: score needs case files, or --from-log\nSee vgsim score --help.\n");
    return kBadInput;
  }
  Diagnostics diagnostics;
  const auto found = find_cases(options.paths, diagnostics);
  if (!found) return report_all_errors(diagnostics);
  check_options(options, found->kind, diagnostics);
  Score score = empty_score(options, found->kind, diagnostics);
  std::vector<Case> cases = found->kind.read(found->files, library, diagnostics);
  check_ids(cases, diagnostics);
  if (!diagnostics.has_errors()) select_cases(options, cases, diagnostics);
  const auto settings = settings_of(options, cases, library, diagnostics);
  if (diagnostics.has_errors() && !options.keep_going) return report_all_errors(diagnostics);
  score.cases = scoring::run_cases(cases, settings, diagnostics);
  if (!diagnostics.has_errors()) return write_score(options, std::move(score));
  if (options.keep_going) (void)write_score(options, std::move(score));
  return report_all_errors(diagnostics);
}

/// The default path of a log's case: next to the log.
std::string case_path(const ScoreOptions& options) {
  return options.write_case ? *options.write_case : *options.log + ".case.json";
}

int score_measured_log(const ScoreOptions& options, const scenario::Library& library) {
  Diagnostics diagnostics;
  Score score = empty_score(options, scoring::case_kind("collectives"), diagnostics);
  if (diagnostics.has_errors()) return report_all_errors(diagnostics);
  auto scored = score_log(
      {*options.log, *options.scenario, options.layout, options.in_place, case_path(options)},
      library);
  if (!scored) return report_all_errors(scored.error());
  write_message(input::render(scored->warnings));
  if (options.write_case) write_result(scored->case_text, options.write_case);
  score.cases = {std::move(scored->scored)};
  return write_score(options, std::move(score));
}

}  // namespace

CLI::App* add_score_command(CLI::App& app, ScoreOptions& options) {
  CLI::App* command =
      app.add_subcommand("score", "compare predictions with measured cases, or with a log");
  add_selection(*command, options);
  command->add_option("--baseline", options.baseline, "show the change against this stored score")
      ->type_name("FILE");
  add_out_option(*command, options.output, "store the score in this file, for --baseline");
  add_output_option(*command, "--predictions", options.predictions,
                    "write the predicted times of all points, also of blind ones");
  add_format_option(*command, options.format);
  command->footer(kScoreFooter);
  return command;
}

int score_command(const ScoreOptions& options) {
  const auto library = load_calibrated_library(options.calibration);
  if (!library) return report_all_errors(library.error());
  return options.log ? score_measured_log(options, *library) : score_files(options, *library);
}

}  // namespace vgsim::cli
