#include "tools/cli/new/fitting_scenario.hpp"

#include <fmt/format.h>

#include "models/scenario/answer/run_scenario.hpp"
#include "tools/cli/config_files.hpp"
#include "tools/cli/new/scenario_text.hpp"
#include "tools/text/table.hpp"

namespace vgsim::cli {
namespace {

/// The command line of a request.
std::string command_of(const ScenarioRequest& request) {
  std::string line = "vgsim new";
  const auto add = [&](const char* option, const std::string& value) {
    const bool plain = value.find_first_of(" \"'\\$`;&|<>()*?#~") == std::string::npos;
    const char* quote = plain ? "" : "'";
    line += fmt::format(" {} {}{}{}", option, quote, value, quote);
  };
  const auto add_if = [&](const char* option, const std::optional<std::string>& value) {
    if (value) add(option, *value);
  };
  add_if("--server", request.server);
  add_if("--hosts", request.hosts);
  add_if("--gpus", request.gpus);
  add_if("--nic", request.nic);
  add_if("--nics", request.nics);
  for (const std::string& layout : request.layouts) add("--layout", layout);
  add_if("--profile", request.profile);
  add_if("--network", request.network);
  add_if("--parallel", request.parallel);
  add_if("--batch", request.batch);
  add_if("--vsphere", request.vsphere);
  add_if("--name", request.name);
  return line;
}

/// Why a scenario would not run; empty if it runs.
std::string problems_of(const std::string& text, const scenario::Library& library) {
  const auto document = scenario::Document::parse(input::make_source("the new scenario", text));
  const auto checked = scenario::validate_scenario(*document, library, loader_relative_to("."));
  if (!checked) return input::render(checked.error());
  std::string problems;
  for (const auto& layout : checked->layouts) {
    if (!layout.refused) continue;
    for (const auto& warning : layout.warnings) {
      if (warning.verdict != vsphere::Verdict::kRefused) continue;
      problems += text::wrap(fmt::format("  [{}] {} [{}]", layout.name, warning.text, warning.rule),
                             4, 80) +
                  "\n";
    }
  }
  return problems;
}

}  // namespace

tl::expected<std::string, std::string> fitting_scenario(const NewPlan& plan,
                                                        const ScenarioRequest& request,
                                                        const scenario::Library& library,
                                                        const std::string& schema) {
  const std::string made_by = command_of(request);
  std::string last;
  for (std::optional<NewPlan> next = plan; next; next = smaller_plan(*next, request)) {
    std::string text = new_scenario_text(*next, schema, made_by);
    last = problems_of(text, library);
    if (last.empty()) return text;
  }
  return tl::unexpected(last);
}

}  // namespace vgsim::cli
