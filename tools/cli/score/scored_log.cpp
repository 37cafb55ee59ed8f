#include "tools/cli/score/scored_log.hpp"

#include <filesystem>

#include "models/calibration/logs/nccl_tests/nccl_tests_log.hpp"
#include "models/scoring/kinds/case_from_log.hpp"
#include "tools/cli/config_files.hpp"
#include "tools/machine/machine_memory.hpp"
#include "topology/input/json_reader.hpp"
#include "topology/input/load_source.hpp"
#include "topology/input/typed.hpp"

namespace vgsim::cli {
namespace {

using input::Diagnostics;

/// The collective of a scenario's job as written; empty if there is none.
std::string collective_of(const input::SourcePtr& file) {
  const auto document = input::read_json(file);
  const auto job = document ? input::find(*document, "job") : std::nullopt;
  const auto collective = job ? input::find(*job, "collective") : std::nullopt;
  return collective && collective->is_string() ? collective->string() : std::string();
}

std::string relative_to(const std::string& file, const std::string& beside) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::absolute(beside).parent_path();
  return fs::absolute(file).lexically_normal().lexically_proximate(folder.lexically_normal());
}

}  // namespace

tl::expected<ScoredLog, Diagnostics> score_log(const MeasuredLog& measured,
                                               const scenario::Library& library) {
  Diagnostics diagnostics;
  const auto log = input::load_source(measured.log);
  const auto scenario_file = input::load_source(measured.scenario);
  if (!log) diagnostics.append(log.error());
  if (!scenario_file) diagnostics.append(scenario_file.error());
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
  const auto tables = calibration::read_nccl_tests_log(*log, diagnostics);
  if (!tables) diagnostics.append(tables.error());
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);

  const std::string& path = measured.case_path;
  const std::string collective = collective_of(*scenario_file);
  const auto text =
      scoring::case_from_log(*tables, {measured.log, relative_to(measured.scenario, path),
                                       measured.layout, collective, measured.in_place});
  if (!text) return tl::unexpected(text.error());
  auto read = scoring::read_case(*input::read_json(input::make_source(path, *text)));
  if (!read) return tl::unexpected(read.error());
  scenario::RunSettings settings;
  settings.memory_limit = machine::machine_memory();
  const auto predicted = scoring::predict(*read, library, loader_relative_to(path), settings);
  if (!predicted) return tl::unexpected(predicted.error());
  scoring::check_agreement(*tables, collective, *predicted, diagnostics);
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
  scoring::ScoredCase scored{read->head, scoring::compare(*read, *predicted)};
  return ScoredLog{std::move(*read), std::move(scored), *text, diagnostics};
}

}  // namespace vgsim::cli
