#include "tools/cli/commands/scenario_answer.hpp"

#include <fmt/core.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "models/scenario/answer/result_json.hpp"
#include "models/scenario/answer/run_scenario.hpp"
#include "tools/cli/config_files.hpp"
#include "tools/cli/exit_code.hpp"
#include "tools/cli/layouts_apart.hpp"
#include "tools/cli/options/without_effect.hpp"
#include "tools/cli/output.hpp"
#include "tools/cli/today.hpp"
#include "tools/cli/version.hpp"
#include "tools/tables/result_table.hpp"

namespace vgsim::cli {

std::vector<std::pair<std::string, std::string>> provenance(const std::string& name,
                                                            const std::vector<std::string>& files) {
  std::vector<std::pair<std::string, std::string>> about{
      {"program", fmt::format("vgsim {}", version())}, {"date", today()}, {"scenario", name}};
  for (const std::string& file : files) {
    about.emplace_back("file", std::filesystem::path(file).filename().string());
  }
  return about;
}

int answer_scenario(const ScenarioOptions& options, const ScenarioAnswer& answer) {
  const auto of_table = table_options_without_effect(options.out, options.format, options.full);
  if (const int bad = report_options(of_table, answer.command); bad != kDone) return bad;
  const auto library = load_library(config_dir());
  if (!library) return report_errors(library.error());
  auto input = read_scenario_input(options.scenario, options.set, options.layouts);
  if (!input) return report_errors(input.error());
  std::optional<scenario::Manifest> manifest;
  if (const int bad = answer.check(*input, *library); bad != kDone) return bad;
  const auto evaluated = ask_good_layouts(*input, *library, [&](const ScenarioInput& asked) {
    return answer.evaluate(asked, *library, manifest);
  });
  if (!evaluated) return kBadInput;
  const scenario::ScenarioResult& result = evaluated->value;
  if (const auto table = options.out ? tables::table_kind(*options.out) : std::nullopt) {
    const auto json = nlohmann::ordered_json::parse(scenario::to_json(result, manifest));
    tables::Table rows = tables::result_table(json);
    rows.about = provenance(result.name, {options.scenario});
    write_result(tables::table_bytes(rows, *table), options.out);
  } else {
    write_result(options.format == Format::kJson ? scenario::to_json(result, manifest)
                                                 : answer.text(result, *input, *library),
                 options.out);
  }
  return exit_code_of(result, evaluated->complete);
}

}  // namespace vgsim::cli
