#include "tools/cli/options/run_options.hpp"

#include <CLI/CLI.hpp>
#include <string>

#include "tools/cli/options/common_options.hpp"
#include "topology/input/units/unit_strings.hpp"

namespace vgsim::cli {
namespace {

/// Counts beyond this are typing errors.
constexpr std::uint64_t kMost = 1'000'000'000'000'000;

/// How to run a scenario: fidelity, seeds, limits, short cuts.
void add_run_options(CLI::App& command, Options& options) {
  scenario::RunSettings& settings = options.settings;
  command
      .add_option_function<std::string>(
          "--fidelity",
          [&settings](const std::string& word) {
            settings.fidelity =
                word == "chunk" ? collectives::Fidelity::kChunk : collectives::Fidelity::kFluid;
          },
          "fluid: a collective is one activity per channel; chunk: every step is simulated")
      ->check(CLI::IsMember({"fluid", "chunk"}))
      ->type_name("FIDELITY");
  command
      .add_option("--seed", settings.seed, "seed of the random draws, instead of the scenario's")
      ->check(CLI::Range(std::uint64_t{0}, kMost))
      ->type_name("N");
  command
      .add_option("--seeds", settings.seeds,
                  "run N seeds in a row; show the median and the range that holds nine in ten")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{100'000}))
      ->type_name("N");
  add_draws_option(command, options.draws);
  add_output_option(command, "--trace", options.trace,
                    "write what happens in the steady iteration to this file, for "
                    "ui.perfetto.dev (compressed where it ends in .gz)");
  add_time_limit_option(command, options, "stop after so much real time, e.g. \"30 s\"");
  command
      .add_option_function<std::string>(
          "--memory-limit",
          [&settings](const std::string& text) {
            settings.memory_limit = static_cast<std::uint64_t>(input::parse_bytes(text)->count());
          },
          "refuse what is estimated to need more memory, and stop what does, e.g. \"4 GiB\"")
      ->check(bytes_validator())
      ->type_name("BYTES");
  command
      .add_option("--max-events", settings.limits.max_events,
                  "stop a simulation after so many events")
      ->check(CLI::Range(std::uint64_t{1}, kMost))
      ->type_name("N");
  command.add_flag(
      "--no-symmetry", [&settings](std::int64_t) { settings.use_symmetry = false; },
      "simulate every rank and link, not one of each class (same result, slower)");
  command.add_flag(
      "--no-period", [&settings](std::int64_t) { settings.find_repeat = false; },
      "simulate every iteration, also those that repeat (same result, slower)");
}

constexpr const char* kOutOrTable =
    "write to this file instead of stdout; .csv and .xlsx: as a table";

constexpr const char* kRunFooter = R"(
Examples:
  vgsim run configs/scenarios/bert-large-4xr750xa.json
  vgsim run mine.json --layout vgpu --set /job/batch_per_gpu=64
  vgsim new --server dell-xe9680 --hosts 2 | vgsim run -)";

constexpr const char* kValidateFooter = R"(
Examples:
  vgsim validate configs/scenarios/bert-large-4xr750xa.json
  vgsim validate mine.json --set /job/batch_per_gpu=64)";

constexpr const char* kPlaceFooter = R"(
Examples:
  vgsim place configs/scenarios/bert-large-4xr750xa.json
  vgsim place mine.json --layout vgpu)";

CLI::App* add_scenario_command(CLI::App& app, const char* name, const char* about,
                               const char* footer, Options& options,
                               const char* out = kOutOrTable) {
  CLI::App* command = app.add_subcommand(name, about);
  command
      ->add_option("scenario", options.scenario,
                   "scenario, name of a shipped one, or saved result (JSON); - is standard input")
      ->required()
      ->type_name("SCENARIO.json");
  add_layout_option(*command, options.layouts);
  add_set_option(*command, options.set);
  add_full_option(*command, options.full);
  add_format_option(*command, options.format);
  add_out_option(*command, options.out, out);
  command->footer(footer);
  return command;
}

}  // namespace

CLI::App* add_run_command(CLI::App& app, Options& options) {
  CLI::App* command = add_scenario_command(
      app, "run", "simulate a scenario and show its layouts side by side", kRunFooter, options);
  add_run_options(*command, options);
  add_quiet_option(*command, options.quiet);
  return command;
}

CLI::App* add_validate_command(CLI::App& app, Options& options) {
  return add_scenario_command(app, "validate", "check a scenario without simulating it",
                              kValidateFooter, options);
}

CLI::App* add_place_command(CLI::App& app, Options& options) {
  return add_scenario_command(app, "place",
                              "show where vSphere puts the VMs of a scenario, one after the other",
                              kPlaceFooter, options, "write to this file instead of stdout");
}

void add_time_limit_option(CLI::App& command, Options& options, const std::string& about) {
  command
      .add_option_function<std::string>(
          "--time-limit",
          [&options](const std::string& text) {
            options.time_limit = *input::parse_sim_time(text);
          },
          about)
      ->check(time_validator())
      ->type_name("TIME");
}

}  // namespace vgsim::cli
