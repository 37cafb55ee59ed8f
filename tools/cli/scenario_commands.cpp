#include "models/scenario/result_json.hpp"
#include "models/scenario/simulate.hpp"
#include "tools/cli/commands.hpp"
#include "tools/cli/config_files.hpp"
#include "tools/cli/exit_code.hpp"
#include "tools/cli/output.hpp"
#include "tools/cli/text_report.hpp"
#include "topology/input/load_source.hpp"

namespace vgsim::cli {
namespace {

using Evaluate = tl::expected<scenario::ScenarioResult, input::Diagnostics> (*)(
    const input::SourcePtr&, const scenario::Library&, const topology::FileLoader&);

int evaluate(const Options& options, Evaluate what,
             std::string (*report)(const scenario::ScenarioResult&)) {
  const auto library = load_library(config_dir());
  if (!library) {
    write_message(input::render(library.error()));
    return kBadInput;
  }
  const auto file = input::load_source(options.scenario);
  if (!file) {
    write_message(input::render(file.error()));
    return kBadInput;
  }
  const auto result = what(*file, *library, loader_beside(options.scenario));
  if (!result) {
    write_message(input::render(result.error()));
    return kBadInput;
  }
  write_result(options.format == Format::kJson ? scenario::to_json(*result) : report(*result),
               options.out);
  return kDone;
}

}  // namespace

int run_command(const Options& options) {
  return evaluate(options, &scenario::run_scenario, &result_text);
}

int validate_command(const Options& options) {
  return evaluate(options, &scenario::validate_scenario, &validation_text);
}

}  // namespace vgsim::cli
