#include "tools/cli/score/scored_log.hpp"

#include <fmt/core.h>

#include <filesystem>
#include <stdexcept>

#include "models/calibration/logs/nccl_tests/nccl_tests_log.hpp"
#include "models/questions/score/case_from_log.hpp"
#include "models/questions/score/predict.hpp"
#include "sim/engine.hpp"
#include "tools/cli/config_files.hpp"
#include "tools/cli/machine_memory.hpp"
#include "topology/input/json_reader.hpp"
#include "topology/input/load_source.hpp"
#include "topology/input/typed.hpp"
#include "topology/look_up.hpp"

namespace vgsim::cli {
namespace {

using input::Diagnostics;
using scenario::ScoredCase;

/// The collective of a scenario's job, as it stands in the file; empty if there is none.
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

tl::expected<ScoredCase, Diagnostics> score_case(const CaseFile& file,
                                                 const scenario::Library& library) {
  const auto refused = [&](const std::string& why) {
    Diagnostics diagnostics;
    topology::report(diagnostics, file.measured.scenario_origin, "the case cannot be run: " + why);
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
      scenario::case_from_log(*tables, {measured.log, relative_to(measured.scenario, path),
                                        measured.layout, collective, measured.in_place});
  if (!text) return tl::unexpected(text.error());
  auto read = scenario::read_case(*input::read_json(input::make_source(path, *text)));
  if (!read) return tl::unexpected(read.error());
  auto scored = score_case({std::move(*read), loader_beside(path)}, library);
  if (!scored) return tl::unexpected(scored.error());
  scenario::check_agreement(*tables, collective, scored->prediction, diagnostics);
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
  return ScoredLog{std::move(*scored), *text, diagnostics};
}

}  // namespace vgsim::cli
