#include "tools/cli/commands/studio_command.hpp"

#include <fmt/format.h>
#include <spawn.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <sstream>
#include <stdexcept>

#include "models/scenario/read/library.hpp"
#include "tools/cli/commands/studio_sources.hpp"
#include "tools/cli/config_files.hpp"
#include "tools/cli/exit_code.hpp"
#include "tools/cli/options/common_options.hpp"
#include "tools/cli/output.hpp"
#include "tools/studio/random_token.hpp"
#include "tools/studio/serve/page_with.hpp"
#include "tools/studio/serve/server.hpp"
#include "tools/studio/serve/service_thread.hpp"

extern char** environ;

namespace vgsim::cli {
namespace {

/// Behind the first page, until a scenario is chosen.
constexpr const char* kFirstExample = "bert-large-4xr750xa";

constexpr const char* kStudioFooter = R"(
Examples:
  vgsim studio
  vgsim studio mine.json --save changed.json
  vgsim studio --export mine.json -o what-if.html)";

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : value;
}

/// The file to open: the saved one, if it exists.
std::string file_to_open(const StudioOptions& options) {
  if (options.save && std::filesystem::exists(*options.save)) return *options.save;
  return options.scenario.empty() ? std::string(kFirstExample) : options.scenario;
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

void write_address(const StudioOptions& options, const studio::Server& server,
                   const studio::SessionFolder& sessions) {
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
                    ? fmt::format("Changes are saved in {}. Ctrl-C ends it.\n", *options.save)
                : sessions.is_there()
                    ? fmt::format("Changes are saved below {}. Ctrl-C ends it.\n", sessions.path())
                    : std::string("Changes are lost without --save FILE. Ctrl-C ends it.\n"));
}

/// The port and token of the last studio if they are free, so that pages find it again.
std::unique_ptr<studio::Server> server_of(const StudioOptions& options,
                                          studio::ServiceThread& service,
                                          const studio::SessionFolder& sessions) {
  const auto last = sessions.last_address();
  const bool is_wanted = last && (options.port == 0 || options.port == last->port);
  if (is_wanted) {
    try {
      return std::make_unique<studio::Server>(service, last->port, last->token);
    } catch (const std::runtime_error&) {  // another studio has it, which keeps it
      return std::make_unique<studio::Server>(service, options.port, studio::random_token());
    }
  }
  const std::string token = studio::random_token();
  auto server = std::make_unique<studio::Server>(service, options.port, token);
  sessions.keep_address({server->port(), token});
  return server;
}

int serve(const StudioOptions& options, const scenario::Library& library, studio::Studio studio,
          studio::Opening opening) {
  const studio::SessionFolder sessions = studio::usual_session_folder();
  const bool is_chosen = options.save || !options.scenario.empty();
  studio::ServiceThread service(std::move(studio),
                                {options.save, config_dir(), opening.name, std::move(opening.files),
                                 sessions, studio_sources(library), is_chosen});
  try {
    const auto server = server_of(options, service, sessions);
    write_address(options, *server, sessions);
    server->run();
    service.stop();
  } catch (const std::runtime_error& error) {
    write_message(fmt::format("vgsim: {}\n", error.what()));
    return kBadInput;
  }
  return kDone;
}

/// Writes the page that works without a server; with the scenario if one is named.
int write_page(const StudioOptions& options, const studio::Opening& opening) {
  const auto page = studio_page();
  if (!page) {
    write_message(fmt::format("vgsim: {}\n", page.error()));
    return kBadInput;
  }
  const bool is_chosen = !options.scenario.empty();
  write_result(is_chosen ? studio::page_with(*page, opening) : *page, options.out);
  return kDone;
}

}  // namespace

CLI::App* add_studio_command(CLI::App& app, StudioOptions& options) {
  CLI::App* command = app.add_subcommand(
      "studio", "serve a page on this machine to edit a scenario and see the effects");
  command
      ->add_option("scenario", options.scenario,
                   "scenario, name of a shipped one, or saved result (JSON); by default the page "
                   "begins with what can be opened")
      ->type_name("SCENARIO.json");
  add_output_option(*command, "--save", options.save,
                    "save the edited scenario in this file, and continue with it if it exists "
                    "(default: a file for each scenario below ~/.local/state/vgsim/studio)");
  CLI::Option* exports = command->add_flag("--export", options.exports,
                                           "write a page that does the same in any browser, "
                                           "without vgsim and without a network, with the "
                                           "scenario inside");
  add_output_option(*command, "-o,--output", options.out, "the file of --export")->needs(exports);
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
  auto opening = stored_opening(file_to_open(options), *library);
  if (!opening) return report_errors(opening.error());
  auto studio =
      studio::Studio::open(opening->document, *library, studio::loader_of(opening->files));
  if (!studio) return report_errors(studio.error());
  if (options.exports) return write_page(options, *opening);
  return serve(options, *library, *std::move(studio), *std::move(opening));
}

}  // namespace vgsim::cli
