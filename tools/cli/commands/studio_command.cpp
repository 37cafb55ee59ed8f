#include "tools/cli/commands/studio_command.hpp"

#include <fmt/format.h>
#include <spawn.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <stdexcept>

#include "models/scenario/answer/run_scenario.hpp"
#include "models/scenario/read/library.hpp"
#include "tools/cli/config_files.hpp"
#include "tools/cli/exit_code.hpp"
#include "tools/cli/options/common_options.hpp"
#include "tools/cli/output.hpp"
#include "tools/cli/scenario_input.hpp"
#include "tools/studio/server.hpp"
#include "tools/studio/service.hpp"

extern char** environ;

namespace vgsim::cli {
namespace {

/// Shown if no scenario is given.
constexpr const char* kFirstExample = "bert-large-4xr750xa";

constexpr const char* kStudioFooter = R"(
Examples:
  vgsim studio
  vgsim studio mine.json --save changed.json)";

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : value;
}

/// The file to open: the saved one, if it exists.
std::string file_to_open(const StudioOptions& options) {
  if (options.save && std::filesystem::exists(*options.save)) return *options.save;
  return options.scenario.empty() ? std::string(kFirstExample) : options.scenario;
}

/// Loads only the files that the scenario named when it was read, as requests of a browser can
/// name any.
input::FileLoader given_files(const ScenarioInput& input) {
  return [files = *input.loaded, folder = std::filesystem::path(input.path).parent_path()](
             const std::string& name) -> tl::expected<input::SourcePtr, input::Diagnostics> {
    const auto found = files.find(name);
    if (found != files.end()) return input::make_source((folder / name).string(), found->second);
    input::Diagnostics missing;
    missing.error("E111", {}, "", fmt::format("{} is not a file that the studio has", name),
                  "one that the scenario named when it was opened");
    return tl::unexpected(missing);
  };
}

/// If the program runs over SSH, the command that forwards the port: the third word of
/// $SSH_CONNECTION is the address of this machine.
std::string forward_command(std::uint16_t port) {
  std::istringstream words(environment("SSH_CONNECTION"));
  std::string client;
  std::string client_port;
  std::string machine;
  if (!(words >> client >> client_port >> machine)) return {};
  const std::string user = environment("USER");
  return fmt::format("ssh -N -L {0}:127.0.0.1:{0} {1}{2}", port, user.empty() ? "" : user + "@",
                     machine);
}

void open_browser(std::string address) {
  std::string program = "xdg-open";
  char* arguments[] = {program.data(), address.data(), nullptr};
  pid_t child = 0;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) {
    posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", 1, 0);
  }
  // Failures are ignored: the address is on the screen as well.
  ::posix_spawnp(&child, program.c_str(), &actions, nullptr, &arguments[0], environ);
  posix_spawn_file_actions_destroy(&actions);
}

void write_address(const StudioOptions& options, const studio::Server& server) {
  write_result(fmt::format("vgsim studio: {}\n", server.address()), std::nullopt);
  const std::string forward = forward_command(server.port());
  if (!forward.empty()) {
    write_result(fmt::format("On your own machine: {}\nthen open that address there.\n", forward),
                 std::nullopt);
  } else if (!options.no_browser &&
             (!environment("DISPLAY").empty() || !environment("WAYLAND_DISPLAY").empty())) {
    open_browser(server.address());
  }
  write_message(options.save
                    ? fmt::format("What you change is kept in {}. Ctrl-C ends it.\n", *options.save)
                    : std::string("Changes are lost without --save FILE. Ctrl-C ends "
                                  "it.\n"));
}

int serve(const StudioOptions& options, studio::Studio studio, const std::string& path) {
  studio::Service service(
      std::move(studio), {options.save, config_dir(), std::filesystem::path(path).stem().string()});
  try {
    studio::Server server(service, options.port, studio::random_token());
    write_address(options, server);
    server.run();
    service.stop();
  } catch (const std::runtime_error& error) {
    write_message(fmt::format("vgsim: {}\n", error.what()));
    return kBadInput;
  }
  return kDone;
}

}  // namespace

CLI::App* add_studio_command(CLI::App& app, StudioOptions& options) {
  CLI::App* command = app.add_subcommand(
      "studio", "serve a page on this machine to edit a scenario and see the effects");
  command
      ->add_option("scenario", options.scenario,
                   "scenario, name of a shipped one, or saved result (JSON); a shipped one by "
                   "default")
      ->type_name("SCENARIO.json");
  add_output_option(*command, "--save", options.save,
                    "save the edited scenario in this file, and continue with it if it exists");
  command->add_option("--port", options.port, "port on 127.0.0.1 (default: a free one)")
      ->type_name("N");
  command->add_flag("--no-browser", options.no_browser,
                    "print the address without opening a browser");
  command->footer(kStudioFooter);
  return command;
}

int studio_command(const StudioOptions& options) {
  const auto library = load_library(config_dir());
  if (!library) return report_errors(library.error());
  const std::string path = file_to_open(options);
  const auto input = read_scenario_input(path, {});
  if (!input) return report_errors(input.error());
  // Reads all files that its layouts name.
  const auto valid = scenario::validate_scenario(input->document, *library, input->load);
  if (!valid) return report_errors(valid.error());
  auto studio = studio::Studio::open(input->document, *library, given_files(*input));
  if (!studio) return report_errors(studio.error());
  return serve(options, std::move(*studio), input->path);
}

}  // namespace vgsim::cli
