#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "models/questions/studies/tornado.hpp"
#include "models/scenario/answer/manifest.hpp"
#include "models/scenario/answer/result_json.hpp"
#include "tools/report/html.hpp"
#include "tools/studio/answer_page.hpp"
#include "tools/studio/panel/controls.hpp"
#include "tools/studio/curve_chart.hpp"
#include "tools/studio/responses.hpp"
#include "tools/studio/service.hpp"
#include "tools/tables/result_table.hpp"
#include "tools/trace/perfetto_trace.hpp"
#include "topology/input/typed.hpp"

// Answers that change nothing: the state after a change, offers, curves, files.

namespace vgsim::studio {
namespace {

using input::Value;
using nlohmann::ordered_json;

ordered_json objections_json(const std::vector<Objection>& objections) {
  ordered_json all = ordered_json::array();
  for (const Objection& each : objections) {
    all.push_back({{"rule", each.rule},
                   {"text", each.text},
                   {"remedy", each.remedy},
                   {"source", each.source}});
  }
  return all;
}

const char* word_of(Done done) {
  switch (done) {
    case Done::kAnswered:
      return "answered";
    case Done::kRefused:
      return "refused";
    case Done::kOvertaken:
      return "overtaken";
  }
  return "";
}

/// What a step back undoes, and a step on does again; null if there is none.
ordered_json undo_words(const Studio& studio, const OpenScenarios& open) {
  if (studio.step_count() > 0) return studio.steps()[studio.step_count() - 1].title;
  if (open.can_go_back()) return "back to " + open.name_before();
  return nullptr;
}

ordered_json redo_words(const Studio& studio, const OpenScenarios& open) {
  if (studio.step_count() < studio.steps().size()) return studio.steps()[studio.step_count()].title;
  if (open.can_go_on()) return "on to " + open.name_after();
  return nullptr;
}

std::vector<Change> changes_of(const Value& body, input::Diagnostics& diagnostics) {
  constexpr std::size_t kMostChanges = 100;
  std::vector<Change> changes;
  const auto all = input::find(body, "changes");
  if (!all || !all->is_array()) return changes;
  for (const Value& each : all->elements()) {
    if (changes.size() == kMostChanges) break;
    auto change = read_change(each);
    if (change) {
      changes.push_back(std::move(*change));
    } else {
      diagnostics.append(change.error());
    }
  }
  return changes;
}

}  // namespace

std::string Service::session() const {
  if (!open_.file() || !open_.folder().is_there()) return {};
  const std::filesystem::path file(*open_.file());
  return file.parent_path() == open_.folder().path() ? file.filename().string() : std::string();
}

std::string Service::state(const std::map<std::string, std::string>& query,
                           const Outcome& outcome) const {
  ordered_json state{{"version", version_},
                     {"outcome", word_of(outcome.done)},
                     {"objections", objections_json(outcome.objections)},
                     {"name", studio_.base().text("name")},
                     {"layouts", studio_.base().layouts()},
                     {"start", studio_.start()},
                     {"working", studio_.working_name()},
                     {"instance", instance_},
                     {"is_chosen", surroundings_.is_chosen},
                     {"saved_in", open_.file().value_or("")},
                     {"session", session()},
                     {"save_error", open_.error()},
                     {"undo", undo_words(studio_, open_)},
                     {"redo", redo_words(studio_, open_)}};
  for (const char* machines : {"hosts", "vms"}) {
    ordered_json& names = state["machines"][machines] = ordered_json::array();
    const input::Member* all = studio_.variant().member(machines);
    if (all == nullptr || !all->value.is_object()) continue;
    for (const input::Member& each : all->value.members()) names.push_back(each.name);
  }
  ordered_json& steps = state["steps"] = ordered_json::array();
  for (const Step& step : studio_.steps()) {
    steps.push_back(
        {{"title", step.title},
         {"patch", json_text(scenario::to_ordered_json(scenario::Document(step.patch)))},
         {"removed", step.removed}});
  }
  const std::size_t done = studio_.step_count();
  state["removed"] = done == 0 ? std::vector<std::string>() : studio_.steps()[done - 1].removed;
  state["done"] = studio_.step_count();
  state["patch"] = scenario::to_ordered_json(scenario::Document(studio_.patch_of_start()))
                       .dump(2, ' ', false, ordered_json::error_handler_t::replace);
  state["pinned"] = ordered_json::array();
  for (const Pinned& each : studio_.pinned()) state["pinned"].push_back(each.name);
  state["most_pinned"] = kMostPinned;
  state["controls"] =
      controls(studio_.variant(), studio_.library(), {of(query, "host"), of(query, "vm")});
  state["answer"] = answer_json(studio_, of(query, "focus"));
  state["helps"] = helps_json(studio_);
  state["advice"] = advice_json();
  const auto& result = studio_.answer().result;
  state["helps_later"] = result && !wants_help_ && !scenario::is_quickly_varied(*result);
  return json_text(state);
}

/// A choice is valid as long as it leads to the scenario for which it was found.
ordered_json Service::advice_json() const {
  if (advisor_.runs()) return {{"runs", true}};
  if (!advice_ || advice_->advised.figures.size() != 2) return nullptr;
  const Advised& advised = advice_->advised;
  std::vector<scenario::Metric> now;
  const auto known = figures_to_trade(studio_);
  for (const scenario::Metric& figure : advised.figures) {
    const auto found = std::find_if(known.begin(), known.end(),
                                    [&](const auto& each) { return each.name == figure.name; });
    if (found != known.end()) now.push_back(*found);
  }
  if (now.size() < advised.figures.size()) now.clear();
  bool holds = false;
  if (!advised.best.empty()) {
    const auto first = studio::changed(studio_.variant(), advised.best.front().change);
    holds = first && input::to_canonical_string(*first) == advice_->first;
  }
  ordered_json choices = ordered_json::array();
  for (const AdvisedChange& each : advised.best) {
    ordered_json figures = ordered_json::array();
    for (std::size_t n = 0; n < each.figures.size(); ++n) {
      figures.push_back(scenario::in_words(each.figures[n], advised.figures[n].unit));
    }
    choices.push_back({{"title", each.change.title}, {"figures", std::move(figures)}});
  }
  return {{"runs", false},
          {"holds", holds},
          {"figures", {advised.figures[0].label, advised.figures[1].label}},
          {"choices", std::move(choices)},
          {"html", advice_html(advised, now)}};
}

Response Service::options(const Value& body) const {
  input::Diagnostics diagnostics;
  const auto changes = changes_of(body, diagnostics);
  if (diagnostics.has_errors()) return error_response(400, input::render(diagnostics));
  ordered_json all = ordered_json::array();
  for (const Change& change : changes) {
    if (interrupts_.change_waits()) break;
    all.push_back(objections_json(studio_.objections_to(change)));
  }
  return json_response({{"objections", all}});
}

std::vector<scenario::Metric> Service::point_of_curve(const Change& change, bool intervals) {
  constexpr std::size_t kMostPoints = 400;
  const auto after = studio::changed(studio_.variant(), change);
  if (!after) return {};
  const std::string key = (intervals ? "with intervals " : "") + input::to_canonical_string(*after);
  if (const auto found = points_.find(key); found != points_.end()) return found->second;
  auto figures = studio_.figures_with(change, intervals, interrupts_.change_waits);
  if (interrupts_.change_waits()) return {};
  if (points_.size() >= kMostPoints) points_.clear();
  return points_.emplace(key, std::move(figures)).first->second;
}

/// "intervals" of the steps, the first ones, have intervals; the page asks for one more each time,
/// and draws what there is.
Response Service::curve(const Value& body) {
  input::Diagnostics diagnostics;
  const auto changes = changes_of(body, diagnostics);
  if (diagnostics.has_errors()) return error_response(400, input::render(diagnostics));
  const auto wanted = input::find(body, "intervals");
  const double with_intervals =
      wanted && wanted->kind() == input::Kind::integer ? wanted->number() : 0.0;
  SliderCurve curve{member_text(body, "label"), member_text(body, "now"), {}, {}};
  for (const Change& change : changes) {
    const bool intervals = static_cast<double>(curve.steps.size()) < with_intervals;
    curve.steps.push_back(change.title);
    curve.figures.push_back(point_of_curve(change, intervals));
  }
  ordered_json all = ordered_json::array();
  for (const auto& [figure, html] : curve_html(curve)) {
    all.push_back({{"name", figure.name}, {"label", figure.label}, {"html", html}});
  }
  return json_response({{"figures", all}, {"complete", !interrupts_.change_waits()}});
}

Response Service::exported(const Request& request) {
  const std::string as = of(request.query, "as");
  const std::string& name = open_.origin().name;
  if (as == "scenario") {
    return {200, "application/json", file_text(studio_.document(), open_.origin().files),
            name + ".json"};
  }
  run_in_full();
  if (as == "html") {
    report::Report report = report_of(studio_);
    add_studies(studio_, report);
    return {200, "text/html; charset=utf-8", report::to_html(report::page_of(report)),
            name + ".html"};
  }
  if (as == "trace") {
    return {200, "application/gzip", trace::trace_file(report_of(studio_).result, "trace.gz"),
            name + ".perfetto-trace.gz"};
  }
  if (as != "csv" && as != "xlsx") {
    return error_response(404, "scenario, html, csv, xlsx or trace");
  }
  const bool csv = as == "csv";
  const auto json = ordered_json::parse(scenario::to_json(report_of(studio_).result));
  return {200,
          csv ? "text/csv; charset=utf-8"
              : "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
          tables::table_bytes(tables::result_table(json),
                              csv ? tables::TableKind::kCsv : tables::TableKind::kXlsx),
          name + (csv ? ".csv" : ".xlsx")};
}

}  // namespace vgsim::studio
