#include "tools/cli/commands/explain_command.hpp"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <utility>

#include "models/questions/explain/best_changes.hpp"
#include "models/questions/explain/change_gaps.hpp"
#include "models/questions/studies/tornado.hpp"
#include "models/scenario/answer/intervals.hpp"
#include "models/scenario/answer/run_scenario.hpp"
#include "models/scenario/read/layouts.hpp"
#include "tools/cli/config_files.hpp"
#include "tools/cli/error_explanations.hpp"
#include "tools/cli/exit_code.hpp"
#include "tools/cli/layouts_apart.hpp"
#include "tools/cli/options/common_options.hpp"
#include "tools/cli/options/without_effect.hpp"
#include "tools/cli/output.hpp"
#include "tools/cli/run_scenario_input.hpp"
#include "tools/cli/scenario_input.hpp"
#include "tools/cli/screen/explanation_screen.hpp"
#include "tools/cli/text/explain_result.hpp"
#include "tools/machine/machine_memory.hpp"
#include "tools/text/table.hpp"
#include "tools/text/words.hpp"
#include "topology/input/load_source.hpp"
#include "topology/input/suggest.hpp"

namespace vgsim::cli {
namespace {

constexpr std::size_t kMostChanges = 8;

constexpr const char* kExplainFooter = R"(
Examples:
  vgsim explain configs/scenarios/xe8545-4xa100.json
  vgsim explain mmio-too-small
  vgsim explain E411)";

std::string rules_text(const vsphere::Rules& rules) {
  std::size_t width = 0;
  for (const auto& [id, rule] : rules) width = std::max(width, id.size());
  std::string text;
  for (const auto& [id, rule] : rules) {
    text += fmt::format("{:<{}}  {:<8} {}\n", id, width, to_string(rule.verdict), rule.title);
  }
  return text;
}

std::string rule_text(const vsphere::Rule& rule) {
  std::string text = fmt::format(
      "{} ({})\n  {}\n\nwhy\n  {}\n\nwhat to do\n  {}\n\nversions\n"
      "  {}\n\nsources: {}\n",
      rule.id, to_string(rule.verdict), text::wrap(rule.title, 2), text::wrap(rule.why, 2),
      text::wrap(rule.remedy, 2),
      rule.to ? fmt::format("{} to {}", rule.from, *rule.to) : rule.from + " and later",
      vsphere::to_string(rule.evidence));
  for (const vsphere::Citation& source : rule.sources) {
    text += "  " + text::wrap(fmt::format("- {}", vsphere::to_string(source)), 4) + "\n";
    if (!source.url.empty()) text += fmt::format("    {}\n", source.url);
  }
  return text;
}

/// Explains a rule or an error code.
int explain_word(const ExplainOptions& options, const scenario::Library& library) {
  const vsphere::Rules& rules = library.vsphere->rules;
  const auto errors = load_error_explanations(config_dir());
  if (!errors) return report_errors(errors.error());
  if (options.subject.empty()) {
    write_result(fmt::format("rules\n{}\nerrors and warnings\n{}\nvgsim explain WORD shows more "
                             "about one, vgsim explain SCENARIO.json why a job takes so long.\n",
                             rules_text(rules), error_list_text(*errors)),
                 options.out);
    return kDone;
  }
  const auto found = rules.find(options.subject);
  if (found != rules.end()) {
    write_result(rule_text(found->second), options.out);
    return kDone;
  }
  const auto code = as_error_code(options.subject);
  const auto text = code ? explain_error(*errors, *code) : std::nullopt;
  if (text) {
    write_result(*text, options.out);
    return kDone;
  }
  std::vector<std::string> known;
  for (const auto& [id, rule] : rules) known.push_back(id);
  for (const auto& [id, error] : *errors) known.push_back(id);
  const auto near = input::suggest(options.subject, known);
  write_message(fmt::format(
      "vgsim: no rule, error code or file \"{}\"{}; vgsim explain lists them\n", options.subject,
      near.empty() ? "" : fmt::format("; did you mean \"{}\"?", near[0])));
  return kBadInput;
}

/// Of the first GPU of a training job.
std::vector<training::KernelUse> kernels_of(const scenario::Placement& placement,
                                            const scenario::Library& library) {
  if (!placement.job.training) return {};
  const vsphere::GuestView& view = placement.views().front();
  const auto gpu = library.catalog->gpus.find(placement.cluster->topology.node(view.gpu(0)).model);
  if (gpu == library.catalog->gpus.end()) return {};
  return training::kernel_uses(*placement.job.training, gpu->second, library.parameters);
}

/// Compares the layouts that are undecided with the fastest by their tornados.
void find_what_decides(const std::vector<scenario::PreparedScenario>& prepared,
                       std::vector<ExplainedLayout>& explained) {
  scenario::ScenarioResult results;
  for (const ExplainedLayout& each : explained) results.layouts.push_back(each.result);
  const auto varied = [&](std::size_t l) -> std::optional<scenario::VariedLayout> {
    const ExplainedLayout& each = explained[l];
    if (!each.tornado) return std::nullopt;
    return scenario::VariedLayout{prepared[l].layouts.front(), each.result, *each.tornado};
  };
  for (auto& each : scenario::undecided_layouts(results, varied, explained.size())) {
    explained[each.layout].undecided = std::move(each);
  }
}

int explain_scenario(const ExplainOptions& options, const scenario::Library& library) {
  auto input = read_scenario_input(options.subject, options.set, options.layouts);
  if (!input) return report_errors(input.error());
  const auto valid = ask_good_layouts(*input, library, [&](const ScenarioInput& asked) {
    return scenario::validate_scenario(asked.document, library, asked.load);
  });
  if (!valid) return kBadInput;
  input::Diagnostics diagnostics;
  const auto layouts = scenario::read_layouts(input->document, library, diagnostics);
  scenario::RunSettings settings;
  settings.memory_limit = machine::machine_memory();
  settings.record = true;
  std::vector<scenario::PreparedScenario> prepared;
  scenario::ScenarioResult results{input->document.text("name"), {}, {}};
  for (const scenario::LayoutInput& layout : layouts) {
    auto own = scenario::prepare_scenario(layout.document, library, input->load, settings);
    if (!own) {
      diagnostics.append(own.error());
      continue;
    }
    results.layouts.push_back(scenario::run(*own, settings).layouts.front());
    prepared.push_back(std::move(*own));
  }
  if (diagnostics.has_errors()) return report_errors(diagnostics);
  // As many draws as `run` uses, so that both have the same intervals.
  const std::uint64_t draws = scenario::usual_draws(results);
  std::vector<ExplainedLayout> explained;
  std::string currency;
  const bool all = options.full || options.format == Format::kJson;
  for (std::size_t l = 0; l < layouts.size(); ++l) {
    const auto& prices = prepared[l].layouts.front().placement.layout->prices;
    if (prices && prices->currency) currency = *prices->currency;
    scenario::ScenarioResult alone{results.name, {results.layouts[l]}, {}};
    if (draws > 0) {
      scenario::add_intervals(prepared[l], library, input->load, settings, draws, alone);
    }
    ExplainedLayout& each = explained.emplace_back();
    each.result = std::move(alone.layouts.front());
    if (!each.result.refused && (all || scenario::is_quickly_varied(each.result))) {
      const scenario::Studied studied{prepared[l], library, input->load, settings};
      each.tornado = scenario::tornado(studied, each.result);
    }
    each.result.name = layouts[l].name;
    if (each.result.refused) continue;
    each.kernels = kernels_of(prepared[l].layouts.front().placement, library);
    const scenario::ChangeContext at{layouts[l].document, prepared[l], each.result, library};
    each.tried = scenario::try_changes(at, scenario::changes_of(at), input->load, settings);
    scenario::add_gaps(at, input->load, settings, each.tried);
    each.assumptions = scenario::price_assumptions(at, input->load, settings);
    each.numa = scenario::numa_costs(at, input->load, settings);
  }
  find_what_decides(prepared, explained);
  const Explanation explanation{input->document.text("name"), std::move(explained), currency,
                                options.most.value_or(kMostChanges)};
  const text::TerminalSize terminal = text::terminal_size(options.out);
  write_result(options.format == Format::kJson
                   ? explanation_json(explanation.scenario, explanation.layouts)
               : options.full ? explanation_in_full(explanation, terminal)
                              : explanation_screen(explanation, terminal),
               options.out);
  return exit_code_of(results, valid->complete);
}

/// Options without effect on the text of a rule or a code.
std::vector<std::string> options_of_words(const ExplainOptions& options) {
  std::vector<std::string> sentences;
  const auto add = [&](bool given, const char* option) {
    if (!given) return;
    sentences.push_back(fmt::format(
        "{} has no effect on a rule or an error code; leave it out, or name a scenario", option));
  };
  add(!options.layouts.empty(), "--layout");
  add(!options.set.empty(), "--set");
  add(options.format == Format::kJson, "--format json");
  add(options.full, "--full");
  add(options.most.has_value(), "--top");
  return sentences;
}

}  // namespace

CLI::App* add_explain_command(CLI::App& app, ExplainOptions& options) {
  CLI::App* command = app.add_subcommand(
      "explain",
      "show the bottleneck of a job and its best improvements; or explain a rule or an "
      "error code");
  command
      ->add_option("subject", options.subject,
                   "scenario, saved result, rule such as mmio-too-small, or code such as E202")
      ->type_name("SCENARIO.json|RULE|CODE");
  add_layout_option(*command, options.layouts);
  command->add_option("--top", options.most, "changes to show with --full (default 8)")
      ->type_name("N");
  add_format_option(*command, options.format);
  add_out_option(*command, options.out);
  add_set_option(*command, options.set);
  add_full_option(*command, options.full);
  command->footer(kExplainFooter);
  return command;
}

int explain_command(const ExplainOptions& options) {
  const auto library = load_library(config_dir());
  if (!library) return report_errors(library.error());
  if (!options.subject.empty() && input::is_input(scenario_path(options.subject))) {
    if (options.most && (!options.full || options.format == Format::kJson)) {
      return report_options(
          {"--top has no effect without --full, which shows that number of changes; add "
           "--full, or leave it out"},
          "explain");
    }
    return explain_scenario(options, *library);
  }
  const auto bad = options_of_words(options);
  if (!bad.empty()) return report_options(bad, "explain");
  return explain_word(options, *library);
}

}  // namespace vgsim::cli
