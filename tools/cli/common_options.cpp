#include "tools/cli/common_options.hpp"

#include <CLI/CLI.hpp>

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

void add_out_option(CLI::App& command, std::optional<std::string>& out) {
  command.add_option("-o,--out", out, "write to this file instead of stdout")->type_name("FILE");
}

void add_set_option(CLI::App& command, std::vector<std::string>& set) {
  command
      .add_option("--set", set,
                  "another value at a place of the scenario, such as /job/batch_per_gpu=64; may be "
                  "repeated")
      ->type_name("POINTER=VALUE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
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
