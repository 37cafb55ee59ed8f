#include "tools/cli/command_line.hpp"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <functional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tools/cli/commands/advise_command.hpp"
#include "tools/cli/commands/calibrate_command.hpp"
#include "tools/cli/commands/catalog_command.hpp"
#include "tools/cli/commands/check_command.hpp"
#include "tools/cli/commands/compare_command.hpp"
#include "tools/cli/commands/completion_command.hpp"
#include "tools/cli/commands/doctor_command.hpp"
#include "tools/cli/commands/explain_command.hpp"
#include "tools/cli/commands/export_command.hpp"
#include "tools/cli/commands/help_command.hpp"
#include "tools/cli/commands/import_command.hpp"
#include "tools/cli/commands/man_command.hpp"
#include "tools/cli/commands/nccl_command.hpp"
#include "tools/cli/commands/new_command.hpp"
#include "tools/cli/commands/place_command.hpp"
#include "tools/cli/commands/probe_command.hpp"
#include "tools/cli/commands/report_command.hpp"
#include "tools/cli/commands/run_command.hpp"
#include "tools/cli/commands/schema_command.hpp"
#include "tools/cli/commands/score_command.hpp"
#include "tools/cli/commands/show_command.hpp"
#include "tools/cli/commands/studio_command.hpp"
#include "tools/cli/commands/sweep_command.hpp"
#include "tools/cli/commands/validate_command.hpp"
#include "tools/cli/exit_code.hpp"
#include "tools/cli/limit_guard.hpp"
#include "tools/cli/options/common_options.hpp"
#include "tools/cli/output.hpp"
#include "topology/input/load_source.hpp"
#include "topology/input/suggest.hpp"

namespace vgsim::cli {
namespace {

constexpr const char* kCommandLineFooter = R"(
Examples:
  vgsim run configs/scenarios/bert-large-4xr750xa.json
  vgsim new --server dell-xe9680 --hosts 4 --network llama-3-8b -o mine.json
  vgsim explain mine.json
  vgsim help run

Exit codes: 0 done, 1 a layout is refused or an expectation failed, 2 bad input
or usage, 3 a bug in vgsim, 4 a limit stopped it.)";

/// All commands with their options and functions. Declaring the options of all commands costs
/// more than running some of them, so only the command named by the first word declares its
/// own; if the first word needs all commands, all do.
class CommandLine {
 public:
  CommandLine(const std::string& program, const std::string& first_word)
      : app_("Simulates training jobs on vSphere GPU clusters.", "vgsim"),
        declared_(names_one_command(first_word) ? first_word : "") {
    app_.set_version_flag("--version", program);
    doctor_.program = program;
    app_.require_subcommand(1);
    set_help_text(app_);
    add_questions();
    add_scenarios();
    add_hosts();
    add_measurements();
    add_surroundings();
    app_.footer(kCommandLineFooter);  // Commands would inherit it.
  }

  int run(int argc, char** argv) {
    try {
      app_.parse(arguments(argc, argv));
    } catch (const CLI::ParseError& error) {
      return report_usage(error, argc, argv);
    }
    for (const auto& [command, run_it] : commands_) {
      if (!command->parsed()) continue;
      const LimitGuard guard(limits_of(*command));
      return run_it();
    }
    return kBadInput;
  }

 private:
  /// Of `run`: the engine's own limits get a third of a second to apply first.
  [[nodiscard]] GuardedLimits limits_of(const CLI::App& command) const {
    if (command.get_name() == "probe") return {};
    if (command.get_name() != "run") return limits_;
    GuardedLimits limits{std::nullopt, run_.settings.memory_limit};
    constexpr std::chrono::milliseconds kGrace{300};
    if (run_.time_limit) {
      limits.time = std::chrono::nanoseconds(run_.time_limit->count() / 1000) + kGrace;
    }
    return limits;
  }

  /// Options of the whole program except --version, and commands that show other commands,
  /// need all.
  static bool names_one_command(const std::string& word) {
    if (word.empty() || word == "help" || word == "completion" || word == "man") return false;
    return !word.starts_with("-") || word == "--version";
  }

  /// Adds a command that may take long.
  template <typename Options>
  void add_long(const char* name, CLI::App* (*declare)(CLI::App&, Options&), Options& options,
                std::function<int()> run_it) {
    if (CLI::App* command = add(name, declare, options, std::move(run_it))) {
      add_limit_options(*command, limits_);
    }
  }

  /// The command, or null if its options are not needed.
  template <typename Options>
  CLI::App* add(const char* name, CLI::App* (*declare)(CLI::App&, Options&), Options& options,
                std::function<int()> run_it) {
    names_.emplace_back(name);
    if (!declared_.empty() && declared_ != name) return nullptr;
    CLI::App* command = declare(app_, options);
    command->group(group_);
    commands_.emplace_back(command, std::move(run_it));
    return command;
  }

  void add_questions() {
    group_ = "Questions";
    add("run", add_run_command, run_, [&] { return run_command(run_); });
    add_long("compare", add_compare_command, compare_, [&] { return compare_command(compare_); });
    add_long("explain", add_explain_command, explain_, [&] { return explain_command(explain_); });
    add_long("report", add_report_command, report_, [&] { return report_command(report_); });
    add("studio", add_studio_command, studio_, [&] { return studio_command(studio_); });
    add_long("advise", add_advise_command, advise_, [&] { return advise_command(advise_); });
    add_long("sweep", add_sweep_command, sweep_, [&] { return sweep_command(sweep_); });
  }

  void add_scenarios() {
    group_ = "Scenarios";
    add("new", add_new_command, new_, [&] { return new_command(new_); });
    add_long("validate", add_validate_command, validate_,
             [&] { return validate_command(validate_); });
    add_long("place", add_place_command, place_, [&] { return place_command(place_); });
    add_long("check", add_check_command, check_, [&] { return check_command(check_); });
  }

  void add_hosts() {
    group_ = "Hosts and parts";
    add("catalog", add_catalog_command, catalog_, [&] { return catalog_command(catalog_); });
    add("show", add_show_command, show_, [&] { return show_command(show_); });
    add_long("import", add_import_command, import_, [&] { return import_command(import_); });
    add_long("export", add_export_command, export_, [&] { return export_command(export_); });
    add("nccl", add_nccl_command, nccl_, [&] { return nccl_command(nccl_); });
  }

  void add_measurements() {
    group_ = "Measurements";
    add("probe", add_probe_command, probe_, [&] { return probe_command(probe_); });
    add_long("calibrate", add_calibrate_command, calibrate_,
             [&] { return calibrate_command(calibrate_); });
    add_long("score", add_score_command, score_, [&] { return score_command(score_); });
  }

  void add_surroundings() {
    group_ = "Help";
    add("help", add_help_command, help_, [&] { return help_command(app_, help_); });
    add("doctor", add_doctor_command, doctor_, [&] { return doctor_command(doctor_); });
    add("schema", add_schema_command, schema_, [&] { return schema_command(schema_); });
    add("completion", add_completion_command, completion_,
        [&] { return completion_command(app_, completion_); });
    add("man", add_man_command, man_, [&] { return man_command(app_, man_); });
  }

  /// The arguments, last first, as CLI11 expects them. A layout of standard input, "-#vgpu",
  /// is not an option.
  static std::vector<std::string> arguments(int argc, char** argv) {
    std::vector<std::string> words(argv + 1, argv + argc);
    for (std::string& word : words) {
      if (word.starts_with("-#")) word.replace(0, 1, input::kStandardInputInFull);
    }
    std::reverse(words.begin(), words.end());
    return words;
  }

  int report_usage(const CLI::ParseError& error, int argc, char** argv) const {
    if (error.get_exit_code() == 0) {  // --help, --version
      std::ostringstream text;
      static_cast<void>(app_.exit(error, text, text));
      write_result(text.str(), std::nullopt);
      return kDone;
    }
    const auto parsed = app_.get_subcommands();
    if (!parsed.empty()) {
      write_message(
          fmt::format("vgsim: {}\nSee vgsim help {}.\n", error.what(), parsed.back()->get_name()));
      return kBadInput;
    }
    const std::string word = argc < 2 || argv[1][0] == '-' ? "" : argv[1];
    if (word.empty()) {
      write_message(fmt::format("vgsim: {}\nSee vgsim help.\n", error.what()));
      return kBadInput;
    }
    const auto near = input::suggest(word, names_);
    write_message(fmt::format("vgsim: unknown command \"{}\"{}\nSee vgsim help.\n", word,
                              near.empty() ? "" : fmt::format("; did you mean \"{}\"?", near[0])));
    return kBadInput;
  }

  CLI::App app_;
  std::string declared_;  ///< the command that declares its options; empty: all
  std::string group_;     ///< of the commands that are added
  std::vector<std::string> names_;
  ScoreOptions score_;
  RunOptions run_;
  ScenarioOptions validate_;
  ScenarioOptions place_;
  ImportOptions import_;
  ExportOptions export_;
  NcclOptions nccl_;
  ProbeOptions probe_;
  CalibrateOptions calibrate_;
  CompareOptions compare_;
  ExplainOptions explain_;
  AdviseOptions advise_;
  SweepOptions sweep_;
  ReportOptions report_;
  StudioOptions studio_;
  NewOptions new_;
  CheckOptions check_;
  CatalogOptions catalog_;
  ShowOptions show_;
  HelpOptions help_;
  DoctorOptions doctor_;
  SchemaOptions schema_;
  CompletionOptions completion_;
  ManOptions man_;
  GuardedLimits limits_;  ///< of all commands but run and probe
  std::vector<std::pair<const CLI::App*, std::function<int()>>> commands_;
};

}  // namespace

int run_command_line(int argc, char** argv, const std::string& program) {
  return CommandLine(program, argc < 2 ? "" : argv[1]).run(argc, argv);
}

}  // namespace vgsim::cli
