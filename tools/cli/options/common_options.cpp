#include "tools/cli/options/common_options.hpp"

#include <CLI/CLI.hpp>

#include "models/scenario/read/overrides.hpp"
#include "topology/input/units/unit_strings.hpp"

namespace vgsim::cli {

void add_format_option(CLI::App& command, Format& format) {
  command
      .add_option_function<std::string>(
          "--format",
          [&format](const std::string& word) {
            format = word == "json" ? Format::kJson : Format::kText;
          },
          "text (default) or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->type_name("FORMAT");
}

CLI::Validator writable(Destination destination) {
  return {[destination](const std::string& written) {
            return output_problem(written, destination).value_or("");
          },
          ""};
}

CLI::Option* add_output_option(CLI::App& command, const std::string& names,
                               std::optional<std::string>& path, const std::string& about,
                               Destination destination) {
  const char* type = destination == Destination::kFile     ? "FILE"
                     : destination == Destination::kFolder ? "DIR"
                                                           : "FILE|DIR";
  return command.add_option(names, path, about)->check(writable(destination))->type_name(type);
}

void add_out_option(CLI::App& command, std::optional<std::string>& out, const std::string& about,
                    Destination destination) {
  add_output_option(command, "-o,--output", out, about, destination);
  add_output_option(command, "--out", out, about, destination)->group("");
}

void add_layout_option(CLI::App& command, std::vector<std::string>& layouts) {
  command
      .add_option("--layout", layouts,
                  "only this layout; may be repeated, and the others are compared with the first")
      ->type_name("NAME")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

CLI::Validator time_validator() {
  return {[](const std::string& text) {
            return input::parse_sim_time(text) ? std::string() : "expected a time such as \"30 s\"";
          },
          "TIME"};
}

CLI::Validator bytes_validator() {
  return {[](const std::string& text) {
            return input::parse_bytes(text) ? std::string()
                                            : "expected an amount such as \"4 GiB\"";
          },
          "BYTES"};
}

void add_time_limit_option(CLI::App& command, std::optional<SimTime>& limit,
                           const std::string& about) {
  command
      .add_option_function<std::string>(
          "--time-limit",
          [&limit](const std::string& text) { limit = *input::parse_sim_time(text); }, about)
      ->check(time_validator())
      ->type_name("TIME");
}

void add_limit_options(CLI::App& command, GuardedLimits& limits) {
  command
      .add_option_function<std::string>(
          "--time-limit",
          [&limits](const std::string& text) {
            limits.time = std::chrono::nanoseconds(input::parse_sim_time(text)->count() / 1000);
          },
          "stop after so much real time, e.g. \"30 s\"")
      ->check(time_validator())
      ->type_name("TIME");
  command
      .add_option_function<std::string>(
          "--memory-limit",
          [&limits](const std::string& text) {
            limits.memory = static_cast<std::uint64_t>(input::parse_bytes(text)->count());
          },
          "stop where more memory is in use, e.g. \"4 GiB\"")
      ->check(bytes_validator())
      ->type_name("BYTES");
}

CLI::Option* add_set_option(CLI::App& command, std::vector<std::string>& set) {
  CLI::Option* option =
      command
          .add_option("--set", set,
                      "another value at a place of the scenario, in all its layouts, such as "
                      "/job/batch_per_gpu=64; may be repeated")
          ->type_name("POINTER=VALUE")
          ->expected(1)
          ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command
      .add_option_function<std::vector<std::string>>(
          "--set-new",
          [&set](const std::vector<std::string>& all) {
            for (const std::string& each : all) set.push_back(scenario::kMayMake + each);
          },
          "the same, and makes hosts, VMs, NICs and other named things that are not there")
      ->type_name("POINTER=VALUE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  return option;
}

void add_draws_option(CLI::App& command, std::optional<std::uint64_t>& draws) {
  command
      .add_option("--draws", draws,
                  "runs with parameters drawn from their intervals, for the interval of the result "
                  "(default 20 where that takes seconds; 0: none)")
      ->check(CLI::Range(std::uint64_t{0}, std::uint64_t{100'000}))
      ->type_name("N");
}

void add_quiet_option(CLI::App& command, bool& quiet) {
  command.add_flag("-q,--quiet", quiet, "no progress on stderr");
}

void add_full_option(CLI::App& command, bool& full) {
  command.add_flag("--full", full, "everything, not just the answer on one screen");
}

}  // namespace vgsim::cli
