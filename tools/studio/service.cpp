#include "tools/studio/service.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "models/scenario/answer/manifest.hpp"
#include "models/scenario/answer/result_json.hpp"
#include "sim/engine.hpp"
#include "tools/report/html.hpp"
#include "tools/studio/answer_page.hpp"
#include "tools/studio/binding_end.hpp"
#include "tools/studio/board.hpp"
#include "tools/studio/curve_chart.hpp"
#include "tools/studio/gpu_move.hpp"
#include "tools/studio/machines.hpp"
#include "tools/studio/panel/controls.hpp"
#include "tools/studio/random_token.hpp"
#include "tools/studio/responses.hpp"
#include "tools/tables/result_table.hpp"
#include "tools/trace/perfetto_trace.hpp"
#include "topology/input/json_reader.hpp"
#include "topology/input/typed.hpp"

namespace vgsim::studio {
namespace {

using input::Value;
using nlohmann::ordered_json;

/// The index in a request.
std::optional<std::size_t> index_of(const Request& request) {
  const std::string index = of(request.query, "index");
  if (index.empty() || index.size() > 6) return std::nullopt;
  if (index.find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
  return std::stoul(index);
}

/// The body as JSON; an empty object if there is none.
tl::expected<Value, input::Diagnostics> body_of(const Request& request) {
  if (request.body.empty()) return Value::make_object({});
  auto read = input::read_json(input::make_source(kSentName, request.body));
  if (read && !read->is_object()) return Value::make_object({});
  return read;
}

OpenScenario first_scenario(Studio studio, const Surroundings& surroundings) {
  Opening origin{surroundings.scenario_name, studio.base(), surroundings.files};
  OpenScenario first{std::move(studio), std::move(origin), surroundings.save_file, {}};
  first.saved_text = text_of(first);
  return first;
}

}  // namespace

bool is_change(const Request& request) {
  static const std::vector<std::string> kChanges{"change", "undo",   "redo",    "start",
                                                 "open",   "apply",  "advised", "move",
                                                 "pin",    "import", "lift"};
  return request.method == "POST" &&
         std::find(kChanges.begin(), kChanges.end(), request.path) != kChanges.end();
}

Service::Service(Studio studio, Surroundings surroundings, Interrupts interrupts, Advisor& advisor)
    : open_(first_scenario(std::move(studio), surroundings), surroundings.sessions),
      studio_(open_.studio()),
      surroundings_(std::move(surroundings)),
      instance_(random_token()),
      interrupts_(std::move(interrupts)),
      advisor_(advisor) {
  studio_.report_to(interrupts_.report);
  studio_.pause_when(interrupts_.pause);
}

Response Service::answer(const Request& request) {
  try {
    return respond(request);
  } catch (const std::exception& error) {
    return error_response(500, error.what());
  }
}

Response Service::respond(const Request& request) {
  const auto body = body_of(request);
  if (!body) return error_response(400, input::render(body.error()));
  if (auto response = respond_to_change(request, *body)) return std::move(*response);
  return respond_to_question(request, *body);
}

std::optional<Response> Service::respond_to_change(const Request& request, const Value& body) {
  if (request.method != "POST") return std::nullopt;
  const Overtaken& overtaken = interrupts_.change_waits;
  if (request.path == "change") {
    const auto change = read_change(body);
    if (!change) return error_response(400, input::render(change.error()));
    return changed(request, studio_.change(*change, overtaken));
  }
  if (request.path == "undo") return step_back(request);
  if (request.path == "redo") return step_on(request);
  if (request.path == "start") {
    return changed(request, studio_.start_with(member_text(body, "layout"), overtaken));
  }
  if (request.path == "pin") {
    const std::string layout = member_text(body, "layout");
    if (const auto off = input::find(body, "off"); off && off->kind() == input::Kind::integer) {
      studio_.unpin(static_cast<std::size_t>(off->number()));
    } else if (layout.empty() ? !studio_.pin() : !studio_.pin_layout(layout, overtaken)) {
      return cannot("it cannot be compared with more layouts, or not with this one");
    }
    return changed(request, {});
  }
  if (request.path == "save") {
    const bool saved = studio_.save_as_layout(member_text(body, "layout"));
    if (!saved) return cannot("a layout needs a unique name");
    return changed(request, {});
  }
  if (request.path == "help") {
    wants_help_ = true;
    return json_response(ordered_json::object());
  }
  if (request.path == "move") return move_gpu(request, body);
  if (request.path == "apply") return apply_tried(request);
  if (request.path == "lift") return lift(request);
  if (request.path == "advise") return advise(body);
  if (request.path == "advised") return apply_advised(request);
  if (request.path == "open") return open(request, body);
  if (request.path == "import") return open_files(request, body);
  return std::nullopt;
}

Response Service::respond_to_question(const Request& request, const Value& body) {
  if (request.path == "state") {
    const Outcome outcome = studio_.run(interrupts_.change_waits);
    return {200, "application/json", state(request.query, outcome), {}};
  }
  if (request.path == "options") return options(body);
  if (request.path == "curve") return curve(body);
  if (request.path == "places") return json_response(places());
  if (request.path == "first") return first_page(body);
  if (request.path == "card") return card(of(request.query, "name"));
  if (request.path == "thing") {
    const ordered_json thing =
        thing_json(studio_, of(request.query, "name"), surroundings_.config_dir);
    return thing.is_null() ? error_response(404, "there is no such thing") : json_response(thing);
  }
  if (request.path == "result") {
    run_in_full();
    if (!studio_.answer().result) return cannot("nothing has run");
    return json_response(scenario::layout_json(studio_.result_with_assumptions()));
  }
  if (request.path == "figures") {
    ordered_json figures = ordered_json::array();
    for (const auto& each : figures_to_trade(studio_)) {
      figures.push_back({{"name", each.name}, {"label", each.label}});
    }
    return json_response(figures);
  }
  if (request.path == "placement") {
    return json_response(board_json(studio_));
  }
  if (request.path == "export") return exported(request);
  return error_response(404, "there is no such answer");
}

Response Service::changed(const Request& request, const Outcome& outcome) {
  if (outcome.done != Done::kRefused) {
    if (studio_.variant().content() != searched_.content()) advisor_.cut();
    wants_help_ = false;
    ++version_;
    open_.save();  // before the request is answered
  }
  return {200, "application/json", state(request.query, outcome), {}};
}

Response Service::move_gpu(const Request& request, const Value& body) {
  const Overtaken& overtaken = interrupts_.change_waits;
  studio_.run(overtaken);
  auto change = change_of(
      studio_, {member_text(body, "gpu"), member_text(body, "from"), member_text(body, "to")});
  if (!change) return changed(request, {Done::kRefused, {change.error()}});
  const auto anyway = input::find(body, "all_the_same");
  change->all_the_same = anyway && anyway->kind() == input::Kind::boolean && anyway->boolean();
  return changed(request, studio_.change(*change, overtaken));
}

Response Service::apply_tried(const Request& request) {
  const auto index = index_of(request);
  const auto& tried = studio_.answer().tried;
  if (!tried || !index || *index >= tried->size()) return cannot("it is outdated");
  const scenario::Change& wanted = (*tried)[*index].change;
  Change change;
  change.title = wanted.title;
  change.set = wanted.overrides;
  return changed(request, studio_.change(change, interrupts_.change_waits));
}

/// Makes the change that goes with the binding end of a link.
Response Service::lift(const Request& request) {
  const auto end = binding_end(studio_);
  if (!end || !end->change) return cannot("it is outdated");
  return changed(request, studio_.change(*end->change, interrupts_.change_waits));
}

Response Service::advise(const Value& body) {
  const auto texts = [&](const char* key) {
    std::vector<std::string> all;
    const auto found = input::find(body, key);
    if (!found || !found->is_array()) return all;
    for (const Value& each : found->elements()) {
      if (each.is_string()) all.push_back(each.string());
    }
    return all;
  };
  studio_.run();
  auto search = AdviceSearch::make(studio_, {texts("figures"), texts("vary")});
  if (!search) return cannot(search.error());
  advice_.reset();
  searched_ = studio_.variant();
  advisor_.start(std::move(*search));
  ++version_;
  return json_response(ordered_json::object());
}

void Service::take_advice() {
  auto advised = advisor_.take();
  if (!advised) return;
  advice_ = Advice{std::move(*advised), {}};
  if (!advice_->advised.best.empty()) {
    const auto first = studio::changed(searched_, advice_->advised.best.front().change);
    if (first) advice_->first = input::to_canonical_string(*first);
  }
  ++version_;
}

Response Service::apply_advised(const Request& request) {
  const auto index = index_of(request);
  if (!advice_ || !index || *index >= advice_->advised.best.size()) {
    return cannot("it is outdated");
  }
  const Change change = advice_->advised.best[*index].change;
  return changed(request, studio_.change(change, interrupts_.change_waits));
}

/// For requests that need it: the page shows it as well.
void Service::run_in_full() {
  studio_.run();
  if (studio_.answer().in_full) return;
  while (!studio_.run_in_full()) {  // the request does not wait for a pause
  }
  if (studio_.answer().in_full) ++version_;
}

Service::Refined Service::refine() {
  const Overtaken& overtaken = interrupts_.request_waits;
  const auto step = [&](bool (Studio::*what)(const Overtaken&), auto known) {
    if (overtaken()) return Refined::kCutOff;
    if (!(studio_.*what)(overtaken) || !known()) return Refined::kCutOff;
    ++version_;
    return Refined::kMore;
  };
  const auto in_full = [this] { return studio_.answer().in_full; };
  const auto tried = [this] { return studio_.answer().tried.has_value(); };
  const auto& result = studio_.answer().result;
  if (!in_full() && result && !result->refused) return step(&Studio::run_in_full, in_full);
  const bool tries = result && (wants_help_ || scenario::is_quickly_varied(*result));
  if (tries && !tried() && !result->refused) return step(&Studio::find_what_helps, tried);
  return Refined::kNothing;
}

}  // namespace vgsim::studio
