#include "tools/cli/options/common_options.hpp"

#include <fmt/core.h>

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
          "text (default) or json, which is the default of a file named .json")
      ->check(CLI::IsMember({"text", "json"}))
      ->type_name("FORMAT");
  command.parse_complete_callback([&command, &format] {
    if (command.count("--format") > 0) return;
    for (const char* name : {"--output", "--out"}) {
      const CLI::Option* out = command.get_option_no_throw(name);
      if (out == nullptr || out->count() == 0) continue;
      if (out->as<std::string>().ends_with(".json")) format = Format::kJson;
    }
  });
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

void mark_former_name(CLI::Option* option, const std::string& current) {
  const std::string name = option->get_name();  // that of a hidden option is empty
  option->group("")->each([name, current](const std::string&) {
    write_message(
        fmt::format("{} is the former name of {}; the next release rejects it\n", name, current));
  });
}

void add_out_option(CLI::App& command, std::optional<std::string>& out, const std::string& about,
                    Destination destination) {
  add_output_option(command, "-o,--output", out, about, destination);
  mark_former_name(add_output_option(command, "--out", out, about, destination), "--output");
}

void add_layout_option(CLI::App& command, std::vector<std::string>& layouts) {
  command
      .add_option("--layout", layouts,
                  "only this layout; may be repeated: the others are compared with the first")
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
          "stop after this wall-clock time, e.g. \"30 s\"")
      ->check(time_validator())
      ->type_name("TIME");
  command
      .add_option_function<std::string>(
          "--memory-limit",
          [&limits](const std::string& text) {
            limits.memory = static_cast<std::uint64_t>(input::parse_bytes(text)->count());
          },
          "stop if it uses more memory, e.g. \"4 GiB\"")
      ->check(bytes_validator())
      ->type_name("BYTES");
}

CLI::Option* add_set_option(CLI::App& command, std::vector<std::string>& set) {
  CLI::Option* option = command
                            .add_option("--set", set,
                                        "set a value of the scenario in all layouts, such as "
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
          "the same, and adds hosts, VMs, NICs and other named objects that do not exist")
      ->type_name("POINTER=VALUE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  return option;
}

void add_draws_option(CLI::App& command, std::optional<std::uint64_t>& draws) {
  command
      .add_option("--draws", draws,
                  "runs with uncertain parameters drawn at random, for the 90 % interval (default "
                  "20 if that takes seconds; 0: none)")
      ->check(CLI::Range(std::uint64_t{0}, std::uint64_t{100'000}))
      ->type_name("N");
}

void add_quiet_option(CLI::App& command, bool& quiet) {
  command.add_flag("-q,--quiet", quiet, "no progress on stderr");
}

void add_full_option(CLI::App& command, bool& full) {
  command.add_flag("--full", full, "everything, not only the answer on one screen");
}

}  // namespace vgsim::cli
