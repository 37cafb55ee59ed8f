// The program of the page without a server (worker.js): a request becomes an answer as in the
// studio that is served. Everything runs on the worker's only thread. While nothing is asked, the
// worker calls vgsim_turn() again and again: each call computes slower results, or searches for
// advice, for kTurn or one simulation, so that requests wait briefly.

#include <emscripten.h>
#include <emscripten/heap.h>

#include <chrono>
#include <cstdlib>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "models/scenario/read/library.hpp"
#include "tools/cli/checked_marks.hpp"
#include "tools/cli/commands/run_command.hpp"
#include "tools/cli/commands/studio_sources.hpp"
#include "tools/cli/config_files.hpp"
#include "tools/html/turn_advisor.hpp"
#include "tools/studio/service.hpp"
#include "topology/input/json_reader.hpp"

EM_JS(void, report_progress, (double events, double done, double iterations), {
  if (Module["report"]) Module["report"](events, done, iterations);
});

namespace vgsim::html {
namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* kConfigs = "/configs";
constexpr const char* kSessions = "/sessions";
/// Behind the first page, until a scenario is chosen.
constexpr const char* kFirstExample = "bert-large-4xr750xa";
constexpr std::chrono::milliseconds kTurn{50};

/// The only studio of the page.
struct Page {
  scenario::Library library;
  TurnAdvisor advisor;
  Clock::time_point end_of_turn;
  std::unique_ptr<studio::Service> service;
  studio::Response response;  ///< the last one, until the next request
};

Page& page() {
  static Page only;
  return only;
}

bool is_turn_over() { return Clock::now() >= page().end_of_turn; }

studio::Interrupts interrupts() {
  return {[] { return false; }, [] { return false; },
          [](const Progress& progress) {
            report_progress(static_cast<double>(progress.events),
                            static_cast<double>(progress.iterations_done),
                            static_cast<double>(progress.iterations));
          },
          is_turn_over};
}

/// The scenario that came with the page, or the example.
tl::expected<studio::Opening, std::string> first_opening(const std::string& name,
                                                         const std::string& text) {
  if (text.empty()) {
    auto stored = cli::stored_opening(kFirstExample, page().library);
    if (!stored) return tl::unexpected(input::render(stored.error()));
    return *std::move(stored);
  }
  const auto document = input::read_json(input::make_source(name, text));
  if (!document) return tl::unexpected(input::render(document.error()));
  auto opening = studio::opening_of(scenario::Document(*document), name);
  if (!opening) return tl::unexpected(name + " is neither a scenario nor a saved result");
  return *std::move(opening);
}

std::string begin(const std::string& name, const std::string& text) {
  ::setenv("VGSIM_CONFIGS", kConfigs, 1);
  auto library = cli::load_library(cli::config_dir());
  if (!library) return input::render(library.error());
  page().library = *std::move(library);
  auto opening = first_opening(name, text);
  if (!opening) return opening.error();
  auto studio =
      studio::Studio::open(opening->document, page().library, studio::loader_of(opening->files));
  if (!studio) return input::render(studio.error());
  page().service = std::make_unique<studio::Service>(
      *std::move(studio),
      studio::Surroundings{std::nullopt, cli::config_dir(), opening->name,
                           std::move(opening->files), studio::SessionFolder(kSessions),
                           cli::studio_sources(page().library), !text.empty()},
      interrupts(), page().advisor);
  return {};
}

}  // namespace
}  // namespace vgsim::html

// What worker.js calls. Texts are UTF-8; those that are returned are valid until the next call.
extern "C" {

/// Opens the scenario, or an example if it is empty. Returns what is wrong with it, or an empty
/// text.
EMSCRIPTEN_KEEPALIVE const char* vgsim_begin(const char* name, const char* scenario) {
  static std::string problem;
  problem = vgsim::html::begin(name, scenario);
  return problem.c_str();
}

/// `query` is a JSON object of texts. Returns the status; the other functions return the rest.
EMSCRIPTEN_KEEPALIVE int vgsim_ask(const char* method, const char* path, const char* query,
                                   const char* body, std::size_t size) {
  vgsim::html::Page& page = vgsim::html::page();
  page.service->take_advice();
  page.response =
      page.service->answer({method, path, nlohmann::json::parse(query), std::string(body, size)});
  return page.response.status;
}
EMSCRIPTEN_KEEPALIVE const char* vgsim_body() { return vgsim::html::page().response.body.data(); }
EMSCRIPTEN_KEEPALIVE std::size_t vgsim_size() { return vgsim::html::page().response.body.size(); }
EMSCRIPTEN_KEEPALIVE const char* vgsim_type() { return vgsim::html::page().response.type.c_str(); }
EMSCRIPTEN_KEEPALIVE const char* vgsim_download() {
  return vgsim::html::page().response.download.c_str();
}
/// The file of the open session; empty: none.
EMSCRIPTEN_KEEPALIVE const char* vgsim_open() {
  static std::string session;
  session = vgsim::html::page().service->session();
  return session.c_str();
}
EMSCRIPTEN_KEEPALIVE double vgsim_version() {
  return static_cast<double>(vgsim::html::page().service->version());
}
EMSCRIPTEN_KEEPALIVE double vgsim_searched() {
  return static_cast<double>(vgsim::html::page().advisor.done());
}
EMSCRIPTEN_KEEPALIVE double vgsim_to_search() {
  return static_cast<double>(vgsim::html::page().advisor.most());
}
/// Bytes of memory that the program has.
EMSCRIPTEN_KEEPALIVE double vgsim_memory() {
  return static_cast<double>(emscripten_get_heap_size());
}

/// Does what comes next while nothing is asked; 0 if there is nothing.
EMSCRIPTEN_KEEPALIVE int vgsim_turn() {
  using namespace vgsim::html;
  Page& own = page();
  own.end_of_turn = Clock::now() + kTurn;
  if (own.service->refine() != vgsim::studio::Service::Refined::kNothing) return 1;
  if (!own.advisor.runs()) return 0;
  own.advisor.turn(is_turn_over);
  own.service->take_advice();
  return 1;
}

/// `vgsim run --format json --quiet -o OUT` of a file; draws below 0: as by default. Returns the
/// exit code.
EMSCRIPTEN_KEEPALIVE int vgsim_run(const char* scenario, int draws, const char* out) {
  ::setenv("VGSIM_CONFIGS", vgsim::html::kConfigs, 1);
  vgsim::cli::RunOptions options;
  options.scenario = scenario;
  options.format = vgsim::cli::Format::kJson;
  options.quiet = true;
  options.out = out;
  if (draws >= 0) options.draws = static_cast<std::uint64_t>(draws);
  return vgsim::cli::run_command(options);
}
}
