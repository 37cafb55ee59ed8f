#include "tools/cli/commands/doctor_command.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <nlohmann/json.hpp>

#include "tools/cli/config_files.hpp"
#include "tools/cli/exit_code.hpp"
#include "tools/cli/options/common_options.hpp"
#include "tools/cli/output.hpp"
#include "tools/text/table.hpp"
#include "tools/text/words.hpp"

namespace vgsim::cli {
namespace doctor {

const char* to_string(State state) {
  if (state == State::kOk) return "ok";
  return state == State::kNote ? "note" : "wrong";
}

}  // namespace doctor

namespace {

constexpr const char* kDoctorFooter = R"(
Examples:
  vgsim doctor
  vgsim doctor --format json)";

using doctor::Check;
using doctor::State;

std::size_t count(const std::vector<Check>& checks, State state) {
  return static_cast<std::size_t>(std::count_if(
      checks.begin(), checks.end(), [&](const Check& check) { return check.state == state; }));
}

std::string colored(const text::Style& style, State state, const std::string& text) {
  if (state == State::kOk) return style.green(text);
  return state == State::kNote ? style.yellow(text) : style.red(text);
}

std::string verdict(const std::vector<Check>& checks, const text::Style& style) {
  const std::size_t wrong = count(checks, State::kWrong);
  const std::size_t notes = count(checks, State::kNote);
  const std::string and_notes = notes == 0 ? "" : fmt::format(" ({})", text::plural(notes, "note"));
  if (wrong == 0) return style.bold("Simulations can run") + and_notes + ".\n";
  return style.bold(text::plural(wrong, "problem")) + and_notes + ".\n";
}

}  // namespace

std::string doctor_text(const std::vector<Check>& checks, const text::Style& style) {
  constexpr std::size_t kStateWidth = 5;
  std::size_t width = 0;
  for (const Check& check : checks) width = std::max(width, check.subject.size());
  const std::size_t indent = kStateWidth + 2 + width + 2;
  std::string text;
  for (const Check& check : checks) {
    const std::string state = fmt::format("{:<{}}", to_string(check.state), kStateWidth);
    const std::string line =
        text::wrap(fmt::format("{}  {:<{}}  {}", state, check.subject, width, check.found), indent);
    text += fmt::format("{}{}\n", colored(style, check.state, state), line.substr(kStateWidth));
    if (!check.advice.empty()) {
      text += text::wrap(fmt::format("{:<{}}-> {}", "", indent, check.advice), indent + 3) + "\n";
    }
  }
  return text + "\n" + verdict(checks, style);
}

std::string doctor_json(const std::vector<Check>& checks) {
  nlohmann::ordered_json out;
  out["schema"] = "vgsim.doctor/1";
  out["healthy"] = count(checks, State::kWrong) == 0;
  out["checks"] = nlohmann::ordered_json::array();
  for (const Check& check : checks) {
    out["checks"].push_back({{"state", to_string(check.state)},
                             {"subject", check.subject},
                             {"found", check.found},
                             {"advice", check.advice}});
  }
  return out.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

CLI::App* add_doctor_command(CLI::App& app, DoctorOptions& options) {
  CLI::App* command = app.add_subcommand(
      "doctor", "check the installation and the machine, and show what to do about problems");
  add_format_option(*command, options.format);
  add_out_option(*command, options.out);
  command->footer(kDoctorFooter);
  return command;
}

int doctor_command(const DoctorOptions& options) {
  std::vector<Check> checks = doctor::check_program(options.program);
  for (const auto& more :
       {doctor::check_configs(config_dir()), doctor::check_machine(), doctor::check_gpus()}) {
    checks.insert(checks.end(), more.begin(), more.end());
  }
  const text::Style style = options.out ? text::Style{} : text::style_of(STDOUT_FILENO);
  write_result(options.format == Format::kJson ? doctor_json(checks) : doctor_text(checks, style),
               options.out);
  return count(checks, State::kWrong) == 0 ? kDone : kBadInput;
}

}  // namespace vgsim::cli
