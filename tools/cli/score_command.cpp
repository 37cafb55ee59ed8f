#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <future>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "models/calibration/nccl_tests_log.hpp"
#include "models/scenario/score/bars.hpp"
#include "models/scenario/score/case_from_log.hpp"
#include "models/scenario/score/predict.hpp"
#include "models/scenario/score/score.hpp"
#include "models/scenario/score/score_file.hpp"
#include "sim/engine.hpp"
#include "tools/cli/commands.hpp"
#include "tools/cli/config_files.hpp"
#include "tools/cli/exit_code.hpp"
#include "tools/cli/machine_memory.hpp"
#include "tools/cli/output.hpp"
#include "tools/cli/score_files.hpp"
#include "tools/cli/score_text.hpp"
#include "tools/cli/score_training.hpp"
#include "topology/host_input.hpp"
#include "topology/input/json_reader.hpp"
#include "topology/input/load_source.hpp"
#include "topology/input/suggest.hpp"
#include "topology/input/typed.hpp"

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

/// Runs one case. What stops a run is an error of the case.
tl::expected<ScoredCase, Diagnostics> score_case(const CaseFile& file,
                                                 const scenario::Library& library) {
  const auto refused = [&](const std::string& why) {
    Diagnostics diagnostics;
    topology::report(diagnostics, file.measured.scenario, "the case cannot be run: " + why);
    return tl::unexpected(diagnostics);
  };
  scenario::RunSettings settings;
  settings.memory_limit = machine_memory();
  try {
    auto prediction = scenario::predict(file.measured, library, file.load, settings);
    if (!prediction) return tl::unexpected(prediction.error());
    auto errors = scenario::point_errors(file.measured, *prediction);
    return ScoredCase{file.measured, std::move(*prediction), std::move(errors)};
  } catch (const OverflowError& error) {
    return refused(error.what());
  } catch (const LimitExceeded& error) {
    return refused(error.what());
  } catch (const Stalled& error) {
    return refused(error.what());
  } catch (const std::logic_error& error) {
    throw std::logic_error(fmt::format("case {}: {}", file.measured.id, error.what()));
  }
}

/// Runs the cases on as many threads as the machine has; the results are in the order of the files,
/// whatever the threads do.
std::vector<ScoredCase> score_cases(const std::vector<CaseFile>& files,
                                    const scenario::Library& library, Diagnostics& diagnostics) {
  using Outcome = tl::expected<ScoredCase, Diagnostics>;
  std::vector<std::future<Outcome>> outcomes(files.size());
  std::vector<std::packaged_task<Outcome()>> tasks;
  for (std::size_t f = 0; f < files.size(); ++f) {
    outcomes[f] = tasks.emplace_back([&, f] { return score_case(files[f], library); }).get_future();
  }
  std::atomic<std::size_t> next = 0;
  std::vector<std::jthread> threads;
  for (unsigned t = 0; t < std::max(1U, std::thread::hardware_concurrency()); ++t) {
    threads.emplace_back([&] {
      for (std::size_t f = next++; f < tasks.size(); f = next++) tasks[f]();
    });
  }
  threads.clear();  // joins them
  std::vector<ScoredCase> cases;
  for (auto& outcome : outcomes) {
    auto scored = outcome.get();
    if (scored) {
      cases.push_back(std::move(*scored));
    } else {
      diagnostics.append(scored.error());
    }
  }
  return cases;
}

int report_errors(const Diagnostics& diagnostics) {
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
  auto trainings = read_training_cases(score.paths, diagnostics);
  if (diagnostics.has_errors()) return report_errors(diagnostics);
  if (!trainings.empty()) return score_training_cases(options, std::move(trainings), library);
  const Standards standards = read_standards(score, diagnostics);
  std::vector<CaseFile> files = read_case_files(score.paths, diagnostics);
  if (!diagnostics.has_errors()) select_cases(score, files, diagnostics);
  if (diagnostics.has_errors() && !score.keep_going) return report_errors(diagnostics);
  const auto cases = score_cases(files, library, diagnostics);
  if (!diagnostics.has_errors()) return write_score(options, cases, standards);
  if (score.keep_going) (void)write_score(options, cases, standards);
  return report_errors(diagnostics);
}

/// The collective of a scenario's job, as it stands in the file; empty if there is none.
std::string collective_of(const input::SourcePtr& file) {
  const auto document = input::read_json(file);
  const auto job = document ? input::find(*document, "job") : std::nullopt;
  const auto collective = job ? input::find(*job, "collective") : std::nullopt;
  return collective && collective->is_string() ? collective->string() : std::string();
}

/// Where the case stands, or would: beside the log.
std::string case_path(const ScoreOptions& options) {
  return options.write_case ? *options.write_case : *options.log + ".case.json";
}

std::string relative_to(const std::string& file, const std::string& beside) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::absolute(beside).parent_path();
  return fs::absolute(file).lexically_normal().lexically_proximate(folder.lexically_normal());
}

int score_log(const Options& options, const scenario::Library& library) {
  const ScoreOptions& score = options.score;
  Diagnostics diagnostics;
  const Standards standards = read_standards(score, diagnostics);
  const auto log = input::load_source(*score.log);
  const auto scenario_file = input::load_source(*score.scenario);
  if (!log) diagnostics.append(log.error());
  if (!scenario_file) diagnostics.append(scenario_file.error());
  if (diagnostics.has_errors()) return report_errors(diagnostics);
  const auto tables = calibration::read_nccl_tests_log(*log, diagnostics);
  if (!tables) diagnostics.append(tables.error());
  if (diagnostics.has_errors()) return report_errors(diagnostics);

  const std::string path = case_path(score);
  const std::string collective = collective_of(*scenario_file);
  const auto text = scenario::case_from_log(
      *tables,
      {*score.log, relative_to(*score.scenario, path), score.layout, collective, score.in_place});
  if (!text) return report_errors(text.error());
  auto measured = scenario::read_case(*input::read_json(input::make_source(path, *text)));
  if (!measured) return report_errors(measured.error());
  const auto scored = score_case({std::move(*measured), loader_beside(path)}, library);
  if (!scored) return report_errors(scored.error());
  scenario::check_agreement(*tables, collective, scored->prediction, diagnostics);
  if (diagnostics.has_errors()) return report_errors(diagnostics);
  write_message(input::render(diagnostics));
  if (score.write_case) write_result(*text, score.write_case);
  return write_score(options, {*scored}, standards);
}

}  // namespace

int score_command(const Options& options) {
  const auto library = load_library(config_dir());
  if (!library) return report_errors(library.error());
  return options.score.log ? score_log(options, *library) : score_files(options, *library);
}

}  // namespace vgsim::cli
