#include "tools/cli/commands/report_command.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>

#include "models/questions/studies/studies.hpp"
#include "models/scenario/answer/run_scenario.hpp"
#include "sim/engine.hpp"
#include "tools/cli/config_files.hpp"
#include "tools/cli/exit_code.hpp"
#include "tools/cli/layouts_apart.hpp"
#include "tools/cli/options/common_options.hpp"
#include "tools/cli/options/without_effect.hpp"
#include "tools/cli/output.hpp"
#include "tools/cli/run_scenario_input.hpp"
#include "tools/cli/scenario_input.hpp"
#include "tools/cli/text/progress.hpp"
#include "tools/machine/machine_memory.hpp"
#include "tools/report/facts.hpp"
#include "tools/report/html.hpp"
#include "tools/report/local_paths.hpp"
#include "tools/report/markdown.hpp"
#include "tools/report/plain_text.hpp"
#include "tools/report/report.hpp"
#include "tools/studio/serve/page_with.hpp"
#include "tools/text/terminal_size.hpp"
#include "tools/text/words.hpp"

namespace vgsim::cli {
namespace {

constexpr const char* kReportFooter = R"(
Examples:
  vgsim report configs/scenarios/xe8545-4xa100.json -o report.html
  vgsim report mine.json --layout vgpu --format md
  vgsim report mine.json --with-simulator -o report.html)";

/// "html", "md" or "text": as requested, else by the extension.
std::string page_format(const ReportOptions& options) {
  if (options.format) return *options.format;
  if (options.out && options.out->ends_with(".md")) return "md";
  return options.out && options.out->ends_with(".txt") ? "text" : "html";
}

/// Named as results, not as a page.
bool is_data_file(const std::string& file) {
  return file.ends_with(".json") || file.ends_with(".csv") || file.ends_with(".xlsx");
}

std::string written_as(const std::string& format, const report::Page& page) {
  if (format == "md") return report::to_markdown(page);
  return format == "text" ? report::to_text(page, text::kFewestFullColumns) : report::to_html(page);
}

/// A page is read elsewhere: its command is for the folder of the scenario.
std::string without_folder(const std::string& path) {
  const std::filesystem::path file(path);
  return file.is_absolute() ? file.filename().string() : path;
}

/// Folders of this machine that texts of a report may contain.
std::vector<std::string> local_folders(const report::Report& report, const std::string& scenario) {
  std::vector<std::string> folders{config_dir(), std::filesystem::current_path().string()};
  const auto add_folder_of = [&](const std::filesystem::path& file) {
    if (file.is_absolute()) folders.push_back(file.parent_path().string());
  };
  add_folder_of(scenario);
  add_folder_of(report.manifest.scenario_file);
  for (const auto& [path, text] : report.manifest.files) add_folder_of(path);
  return folders;
}

/// Runs all simulations of the report.
tl::expected<report::Report, input::Diagnostics> simulate_all(const ScenarioInput& input,
                                                              const scenario::Document& whole,
                                                              const ReportOptions& options,
                                                              const scenario::Library& library) {
  scenario::RunSettings settings;
  settings.memory_limit = machine::machine_memory();
  settings.record = true;
  ProgressLine line;
  if (!options.quiet) {
    settings.report = [&line](const Progress& progress) {
      line.show([&](double seconds) {
        return fmt::format("{:.0f} s: {:.1f} million events", seconds,
                           static_cast<double>(progress.events) / 1e6);
      });
    };
  }
  std::optional<scenario::PreparedScenario> prepared;
  auto result = run_input(input, library, options.draws, settings, &prepared);
  if (!result) return tl::unexpected(result.error());
  settings.record = false;
  settings.report = {};
  report::Report report;
  report.result = std::move(*result);
  report.studies =
      scenario::run_studies(input.document, report.result, library, input.load, settings);
  if (const auto* fastest = report::fastest_of(report)) {
    report.best = scenario::find_best_change(input.document, *fastest, library, input.load,
                                             settings, scenario::BestChangeOf::kAll, &*prepared);
  }
  report.manifest = manifest_of(input, settings.seed, options.draws);
  report.manifest.document = whole;
  report.command = command_line(options);
  return report;
}

/// The studio's page, if the report contains it; else the exit code, and it writes why.
tl::expected<std::string, int> page_inside(const ReportOptions& options,
                                           const std::string& format) {
  if (!options.with_simulator) return std::string();
  if (format != "html") {
    return tl::unexpected(report_options(
        {"--with-simulator needs a script, which only an HTML report has"}, "report"));
  }
  auto page = studio_page();
  if (page) return *std::move(page);
  write_message(fmt::format("vgsim: {}\n", page.error()));
  return tl::unexpected(static_cast<int>(kBadInput));
}

}  // namespace

std::string command_line(const ReportOptions& options) {
  std::string line = "vgsim report " + text::shell_word(without_folder(options.scenario));
  const auto add = [&](const char* option, const std::string& value) {
    line += fmt::format(" {} {}", option, text::shell_word(value));
  };
  for (const std::string& layout : options.layouts) add("--layout", layout);
  for (const std::string& setting : options.set) add("--set", setting);
  if (options.draws) add("--draws", std::to_string(*options.draws));
  if (options.with_simulator) line += " --with-simulator";
  if (options.format) add("--format", *options.format);
  if (options.out) add("-o", without_folder(*options.out));
  return line;
}

CLI::App* add_report_command(CLI::App& app, ReportOptions& options) {
  CLI::App* command = app.add_subcommand(
      "report", "write a page about a scenario: verdict, charts, findings, assumptions");
  command
      ->add_option("scenario", options.scenario,
                   "scenario, name of a shipped one, or saved result (JSON)")
      ->required()
      ->type_name("SCENARIO.json");
  command
      ->add_option("--format", options.format,
                   "html (default): one file that needs nothing else; md: Markdown; text")
      ->check(CLI::IsMember({"html", "md", "text"}))
      ->type_name("FORMAT");
  add_out_option(*command, options.out);
  command->add_flag("--with-simulator", options.with_simulator,
                    "with the studio and the scenario inside: a link opens it to change the "
                    "scenario, without vgsim and without a network (html; 4 MB more)");
  add_layout_option(*command, options.layouts);
  add_set_option(*command, options.set);
  add_draws_option(*command, options.draws);
  add_quiet_option(*command, options.quiet);
  command->footer(kReportFooter);
  return command;
}

int report_command(const ReportOptions& options) {
  if (options.out && !options.format && is_data_file(*options.out)) {
    return report_options({fmt::format("{} would be no report, which is .html, .md or .txt; vgsim "
                                       "run {} -o {} writes the results",
                                       *options.out, options.scenario, *options.out)},
                          "report");
  }
  const std::string format = page_format(options);
  if (!options.out && format == "html" && ::isatty(STDOUT_FILENO) != 0) {
    write_message(
        "vgsim: a page is not written to a terminal; add -o report.html, or --format text\n");
    return kBadInput;
  }
  const auto studio = page_inside(options, format);
  if (!studio) return studio.error();
  const auto library = load_library(config_dir());
  if (!library) return report_errors(library.error());
  auto input = read_scenario_input(options.scenario, options.set);
  if (!input) return report_errors(input.error());
  const scenario::Document whole = input->document;
  input::Diagnostics diagnostics;
  input->document = with_layouts(whole, input->path, options.layouts, diagnostics);
  if (diagnostics.has_errors()) return report_errors(diagnostics);
  if (options.draws.value_or(0) > 0) {
    const auto prepared = scenario::prepare_scenario(input->document, *library, input->load);
    const auto bad =
        prepared ? draws_without_effect(options.draws, *prepared) : std::vector<std::string>();
    if (!bad.empty()) return report_options(bad, "report");
  }
  std::optional<scenario::Document> simulated;
  const auto answer = ask_good_layouts(*input, *library, [&](const ScenarioInput& asked) {
    simulated = asked.document;
    return simulate_all(asked, whole, options, *library);
  });
  if (!answer) return kBadInput;
  report::Page page = report::page_of(answer->value);
  report::remove_folders(local_folders(answer->value, input->path), page);
  if (options.with_simulator) {
    const std::string name = std::filesystem::path(input->path).stem().string();
    page.simulator =
        studio::simulator_with(*studio, {name, *simulated, answer->value.manifest.files});
  }
  write_result(written_as(format, page), options.out);
  return exit_code_of(answer->value.result, answer->complete);
}

}  // namespace vgsim::cli
