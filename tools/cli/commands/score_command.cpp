#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "models/questions/read/bars.hpp"
#include "models/questions/score/score.hpp"
#include "models/questions/score/score_file.hpp"
#include "models/scenario/answer/parallel_for.hpp"
#include "tools/cli/calibrated_library.hpp"
#include "tools/cli/commands/commands.hpp"
#include "tools/cli/exit_code.hpp"
#include "tools/cli/output.hpp"
#include "tools/cli/score/score_files.hpp"
#include "tools/cli/score/score_kernels.hpp"
#include "tools/cli/score/score_text.hpp"
#include "tools/cli/score/score_training.hpp"
#include "tools/cli/score/score_virtual.hpp"
#include "tools/cli/score/scored_log.hpp"
#include "topology/input/load_source.hpp"
#include "topology/input/suggest.hpp"

namespace vgsim::cli {
namespace {

using input::Diagnostics;
using scenario::ScoredCase;

constexpr std::size_t kAllErrors = Diagnostics::kCapacity;

/// What the files beside the cases say.
struct Standards {
  std::vector<scenario::Bar> bars;
  std::optional<scenario::Medians> baseline;
};

template <class Read>
auto read_with(const std::string& path, const Read& read, Diagnostics& diagnostics)
    -> std::optional<typename decltype(read(input::SourcePtr()))::value_type> {
  const auto file = input::load_source(path);
  if (!file) {
    diagnostics.append(file.error());
    return std::nullopt;
  }
  auto content = read(*file);
  if (content) return std::move(*content);
  diagnostics.append(content.error());
  return std::nullopt;
}

Standards read_standards(const ScoreOptions& options, Diagnostics& diagnostics) {
  Standards standards;
  if (options.bars) {
    standards.bars = read_with(*options.bars, scenario::read_bars, diagnostics)
                         .value_or(std::vector<scenario::Bar>{});
  }
  if (options.baseline) {
    standards.baseline = read_with(*options.baseline, scenario::read_medians, diagnostics);
  }
  return standards;
}

/// Keeps the cases that the user wants to see.
void select_cases(const ScoreOptions& options, std::vector<CaseFile>& cases,
                  Diagnostics& diagnostics) {
  const auto keep = [&](const std::string& what, const std::string& wanted, const auto& name_of) {
    std::vector<std::string> names;
    for (const CaseFile& file : cases) names.push_back(name_of(file.measured));
    if (std::find(names.begin(), names.end(), wanted) == names.end()) {
      diagnostics.error("E411", {}, "", fmt::format("no {} is called \"{}\"", what, wanted),
                        "one of the cases that were read", input::suggest(wanted, names));
    }
    std::erase_if(cases, [&](const CaseFile& file) { return name_of(file.measured) != wanted; });
  };
  using scenario::MeasuredCase;
  if (options.only_class) {
    keep("class", *options.only_class, [](const MeasuredCase& c) { return c.topology_class; });
  }
  if (options.only_case) {
    keep("case", *options.only_case, [](const MeasuredCase& c) { return c.id; });
  }
}

/// Runs the cases on as many threads as the machine has; the results are in the order of the files,
/// whatever the threads do.
std::vector<ScoredCase> score_cases(const std::vector<CaseFile>& files,
                                    const scenario::Library& library, Diagnostics& diagnostics) {
  std::vector<std::optional<tl::expected<ScoredCase, Diagnostics>>> outcomes(files.size());
  scenario::parallel_for(files.size(),
                         [&](std::size_t f) { outcomes[f] = score_case(files[f], library); });
  std::vector<ScoredCase> cases;
  for (auto& outcome : outcomes) {
    if (*outcome) {
      cases.push_back(std::move(**outcome));
    } else {
      diagnostics.append(outcome->error());
    }
  }
  return cases;
}

int report_all_errors(const Diagnostics& diagnostics) {
  write_message(input::render(diagnostics, kAllErrors));
  return kBadInput;
}

/// Writes all that was asked for.
int write_score(const Options& options, const std::vector<ScoredCase>& cases,
                const Standards& standards) {
  const auto missed = scenario::missed_bars(cases, standards.bars);
  const ScoreOptions& score = options.score;
  const std::string json = scenario::to_json(cases, standards.baseline, missed);
  if (score.output) write_result(json, score.output);
  if (score.predictions) write_result(scenario::predictions_json(cases), score.predictions);
  write_result(options.format == Format::kJson ? json : score_text(cases, standards.baseline),
               std::nullopt);
  write_message(missed_text(missed));
  return missed.empty() ? kDone : kExpectationFailed;
}

int score_files(const Options& options, const scenario::Library& library) {
  const ScoreOptions& score = options.score;
  Diagnostics diagnostics;
  if (score.paths.empty()) {
    write_message("vgsim: score needs case files, or --from-log\nSee vgsim score --help.\n");
    return kBadInput;
  }
  if (have_kernel_tables(score.paths)) return score_kernel_tables(options, library);
  auto trainings = read_cases_of<scenario::TrainingCase>(score.paths, scenario::kTrainingCaseFormat,
                                                         scenario::read_training_case, diagnostics);
  auto virtuals = read_cases_of<scenario::VirtualCase>(score.paths, scenario::kVirtualCaseFormat,
                                                       scenario::read_virtual_case, diagnostics);
  if (diagnostics.has_errors()) return report_all_errors(diagnostics);
  if (!trainings.empty()) return score_training_cases(options, std::move(trainings), library);
  if (!virtuals.empty()) return score_virtual_cases(options, std::move(virtuals), library);
  const Standards standards = read_standards(score, diagnostics);
  std::vector<CaseFile> files = read_case_files(score.paths, diagnostics);
  if (!diagnostics.has_errors()) select_cases(score, files, diagnostics);
  if (diagnostics.has_errors() && !score.keep_going) return report_all_errors(diagnostics);
  const auto cases = score_cases(files, library, diagnostics);
  if (!diagnostics.has_errors()) return write_score(options, cases, standards);
  if (score.keep_going) (void)write_score(options, cases, standards);
  return report_all_errors(diagnostics);
}

/// Where the case stands, or would: beside the log.
std::string case_path(const ScoreOptions& options) {
  return options.write_case ? *options.write_case : *options.log + ".case.json";
}

int score_measured_log(const Options& options, const scenario::Library& library) {
  const ScoreOptions& score = options.score;
  Diagnostics diagnostics;
  const Standards standards = read_standards(score, diagnostics);
  if (diagnostics.has_errors()) return report_all_errors(diagnostics);
  const auto scored = score_log(
      {*score.log, *score.scenario, score.layout, score.in_place, case_path(score)}, library);
  if (!scored) return report_all_errors(scored.error());
  write_message(input::render(scored->warnings));
  if (score.write_case) write_result(scored->case_text, score.write_case);
  return write_score(options, {scored->scored}, standards);
}

}  // namespace

int score_command(const Options& options) {
  const auto library = load_calibrated_library(options.score.calibration);
  if (!library) return report_all_errors(library.error());
  return options.score.log ? score_measured_log(options, *library) : score_files(options, *library);
}

}  // namespace vgsim::cli
