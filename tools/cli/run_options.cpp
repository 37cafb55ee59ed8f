#include "tools/cli/run_options.hpp"

#include <CLI/CLI.hpp>
#include <string>

#include "tools/cli/common_options.hpp"
#include "topology/input/unit_strings.hpp"

namespace vgsim::cli {
namespace {

/// Counts beyond this are typing errors.
constexpr std::uint64_t kMost = 1'000'000'000'000'000;

std::string time_error(const std::string& text) {
  return input::parse_sim_time(text) ? std::string() : "expected a time such as \"30 s\"";
}

std::string bytes_error(const std::string& text) {
  return input::parse_bytes(text) ? std::string() : "expected an amount such as \"4 GiB\"";
}

}  // namespace

void add_time_limit_option(CLI::App& command, Options& options, const std::string& about) {
  command
      .add_option_function<std::string>(
          "--time-limit",
          [&options](const std::string& text) {
            options.time_limit = *input::parse_sim_time(text);
          },
          about)
      ->check(CLI::Validator(time_error, "TIME"))
      ->type_name("TIME");
}

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
  command
      .add_option("--trace", options.trace,
                  "write what happens in the steady iteration to this file, for ui.perfetto.dev "
                  "(compressed where it ends in .gz)")
      ->type_name("FILE");
  add_time_limit_option(command, options, "stop after so much real time, e.g. \"30 s\"");
  command
      .add_option_function<std::string>(
          "--memory-limit",
          [&settings](const std::string& text) {
            settings.memory_limit = static_cast<std::uint64_t>(input::parse_bytes(text)->count());
          },
          "refuse what is estimated to need more memory, e.g. \"4 GiB\"")
      ->check(CLI::Validator(bytes_error, "BYTES"))
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

}  // namespace vgsim::cli
