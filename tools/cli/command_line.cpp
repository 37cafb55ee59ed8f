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

/// All commands, with what each was asked for and what runs it.
class CommandLine {
 public:
  explicit CommandLine(const std::string& program)
      : app_("Simulates training jobs on vSphere GPU clusters.", "vgsim") {
    app_.set_version_flag("--version", program);
    doctor_.program = program;
    app_.require_subcommand(1);
    set_help_text(app_);
    add_questions("Questions");
    add_scenarios("Scenarios");
    add_hosts("Hosts and parts");
    add_measurements("Measurements");
    add_surroundings("Help");
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
  /// Of `run`, what the engine sees to has a third of a second to do so by itself.
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

  /// Adds a command that may take long.
  void add_long(const std::string& group, CLI::App* command, std::function<int()> run_it) {
    add_limit_options(*command, limits_);
    add(group, command, std::move(run_it));
  }

  void add(const std::string& group, CLI::App* command, std::function<int()> run_it) {
    command->group(group);
    commands_.emplace_back(command, std::move(run_it));
  }

  void add_questions(const std::string& group) {
    add(group, add_run_command(app_, run_), [&] { return run_command(run_); });
    add_long(group, add_compare_command(app_, compare_), [&] { return compare_command(compare_); });
    add_long(group, add_explain_command(app_, explain_), [&] { return explain_command(explain_); });
    add_long(group, add_report_command(app_, report_), [&] { return report_command(report_); });
    add(group, add_studio_command(app_, studio_), [&] { return studio_command(studio_); });
    add_long(group, add_advise_command(app_, advise_), [&] { return advise_command(advise_); });
    add_long(group, add_sweep_command(app_, sweep_), [&] { return sweep_command(sweep_); });
  }

  void add_scenarios(const std::string& group) {
    add(group, add_new_command(app_, new_), [&] { return new_command(new_); });
    add_long(group, add_validate_command(app_, validate_),
             [&] { return validate_command(validate_); });
    add_long(group, add_place_command(app_, place_), [&] { return place_command(place_); });
    add_long(group, add_check_command(app_, check_), [&] { return check_command(check_); });
  }

  void add_hosts(const std::string& group) {
    add(group, add_catalog_command(app_, catalog_), [&] { return catalog_command(catalog_); });
    add(group, add_show_command(app_, show_), [&] { return show_command(show_); });
    add_long(group, add_import_command(app_, import_), [&] { return import_command(import_); });
    add_long(group, add_export_command(app_, export_), [&] { return export_command(export_); });
    add(group, add_nccl_command(app_, nccl_), [&] { return nccl_command(nccl_); });
  }

  void add_measurements(const std::string& group) {
    add(group, add_probe_command(app_, probe_), [&] { return probe_command(probe_); });
    add_long(group, add_calibrate_command(app_, calibrate_),
             [&] { return calibrate_command(calibrate_); });
    add_long(group, add_score_command(app_, score_), [&] { return score_command(score_); });
  }

  void add_surroundings(const std::string& group) {
    add(group, add_help_command(app_, help_), [&] { return help_command(app_, help_); });
    add(group, add_doctor_command(app_, doctor_), [&] { return doctor_command(doctor_); });
    add(group, add_schema_command(app_, schema_), [&] { return schema_command(schema_); });
    add(group, add_completion_command(app_, completion_),
        [&] { return completion_command(app_, completion_); });
    add(group, add_man_command(app_, man_), [&] { return man_command(app_, man_); });
  }

  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& [command, run_it] : commands_) names.push_back(command->get_name());
    return names;
  }

  /// What follows the program's name, last first, as CLI11 takes it. A layout of standard input,
  /// "-#vgpu", is no option.
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
    const auto near = input::suggest(word, names());
    write_message(fmt::format("vgsim: unknown command \"{}\"{}\nSee vgsim help.\n", word,
                              near.empty() ? "" : fmt::format("; did you mean \"{}\"?", near[0])));
    return kBadInput;
  }

  CLI::App app_;
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
  return CommandLine(program).run(argc, argv);
}

}  // namespace vgsim::cli
