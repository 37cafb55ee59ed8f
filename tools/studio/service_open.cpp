#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "models/scenario/answer/manifest.hpp"
#include "tools/studio/responses.hpp"
#include "tools/studio/scenario_card.hpp"
#include "tools/studio/service.hpp"
#include "topology/input/typed.hpp"

// Scenarios are opened from four places: the page sends one (a link, a file), names one that is
// stored, fills the form of `vgsim new`, or sends dumps. Each becomes another open scenario; the
// one before keeps its file, and a step back leads to it.

namespace vgsim::studio {
namespace {

using input::Value;
using nlohmann::ordered_json;

constexpr std::size_t kMostSessions = 8;

/// The texts of an object by name.
std::map<std::string, std::string> texts_of(const Value& body, const char* key) {
  std::map<std::string, std::string> texts;
  const auto found = input::find(body, key);
  if (!found || !found->is_object()) return texts;
  for (const input::Member& member : found->members()) {
    if (member.value.is_string()) texts[member.name] = member.value.string();
  }
  return texts;
}

/// The bytes of base64 (RFC 4648), up to the first character that is none of it.
std::string from_base64(const std::string& text) {
  static const std::string kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned buffer = 0;
  int bits = 0;
  for (const char c : text) {
    const std::size_t digit = kDigits.find(c);
    if (digit == kDigits.npos) break;
    buffer = (buffer << 6U | static_cast<unsigned>(digit)) & 0xFFFFU;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes += static_cast<char>(buffer >> static_cast<unsigned>(bits) & 0xFFU);
  }
  return bytes;
}

std::vector<SentFile> files_of(const Value& body) {
  std::vector<SentFile> files;
  const auto found = input::find(body, "files");
  if (!found || !found->is_array()) return files;
  for (const Value& each : found->elements()) {
    SentFile file{member_text(each, "name"), {}};
    if (const auto parts = input::find(each, "base64"); parts && parts->is_array()) {
      for (const Value& part : parts->elements()) {
        if (part.is_string()) file.bytes += from_base64(part.string());
      }
    }
    files.push_back(std::move(file));
  }
  return files;
}

/// What a job keeps when it trains the network of a trace: what is not about the network.
constexpr std::array kKept{"vms",     "epochs",    "samples_per_epoch",
                           "start",   "optimizer", "prefetched_batches",
                           "overlap", "buckets"};

constexpr std::int64_t kUsualSamples = 1'000'000;  ///< of an epoch, where the job states none

/// The open scenario with the job of a trace.
Opening with_traced_job(const Studio& studio, Opening open, const TracedJob& traced) {
  ordered_json scenario = scenario::to_ordered_json(studio.document_alone().value());
  ordered_json job = ordered_json::parse(traced.members);
  job["network"] = traced.file;
  const ordered_json before = scenario.value("job", ordered_json::object());
  for (const char* key : kKept) {
    if (before.contains(key)) job[key] = before[key];
  }
  job.emplace("samples_per_epoch", kUsualSamples);
  scenario["job"] = std::move(job);
  open.files[traced.file] = traced.network;
  open.document = *scenario::Document::parse(input::make_source("the scenario", scenario.dump()));
  return open;
}

ordered_json notes_json(const std::vector<ImportNote>& notes) {
  ordered_json all = ordered_json::array();
  for (const ImportNote& each : notes)
    all.push_back({{"heading", each.heading}, {"text", each.text}});
  return all;
}

}  // namespace

Response Service::open(const Request& request, const Value& body) {
  const Sources& sources = surroundings_.sources;
  if (const auto sent = input::find(body, "scenario"); sent && sent->is_object()) {
    auto opening = opening_of(scenario::Document(*sent), member_text(body, "name"));
    if (!opening) return cannot("what was sent is neither a scenario nor a saved result");
    return opened(request, std::move(*opening), std::nullopt);
  }
  if (const std::string file = member_text(body, "session"); !file.empty()) {
    const auto path = open_.folder().path_of(file);
    if (!path || !sources.stored) return cannot(fmt::format("there is no session {}", file));
    return opened(request, sources.stored(*path), path);
  }
  if (const std::string name = member_text(body, "shipped"); !name.empty() && sources.stored) {
    if (name.find('/') != name.npos) return cannot("a shipped scenario has a name, not a path");
    return opened(request, sources.stored(name), "");
  }
  if (input::find(body, "answers") && sources.created) {
    return opened(request, sources.created(texts_of(body, "answers")), std::nullopt);
  }
  return error_response(400, "no scenario was sent");
}

Response Service::open_files(const Request& request, const Value& body) {
  if (!surroundings_.sources.imported) return error_response(404, "nothing can be imported here");
  auto imported = surroundings_.sources.imported(files_of(body));
  if (!imported) return cannot(imported.error());
  if (imported->job) {
    if (studio_.variant().member("jobs") != nullptr) {
      return cannot(
          "the open scenario has several jobs; open one with a single job, then drop the trace");
    }
    imported->opening = with_traced_job(studio_, open_.origin(), *imported->job);
    const auto samples = imported->opening->document.value().member("job")->value;
    imported->notes.push_back(
        {"job", fmt::format("an epoch of {} samples",
                            input::find(samples, "samples_per_epoch")->number())});
  }
  const ordered_json notes = notes_json(imported->notes);
  if (!imported->opening) return json_response({{"outcome", "nothing"}, {"notes", notes}});
  const Response response = opened(request, std::move(*imported->opening), std::nullopt);
  if (notes.empty()) return response;
  ordered_json json = ordered_json::parse(response.body);
  if (json.contains("error")) json = {{"outcome", "nothing"}, {"problem", json["error"]}};
  json["notes"] = notes;
  return json_response(json);
}

/// `stored`: its file if changes go there, empty if it is stored but not to be changed, nothing if
/// it is to be saved at once.
Response Service::opened(const Request& request, tl::expected<Opening, std::string> opening,
                         const std::optional<std::string>& stored) {
  if (!opening) return cannot(opening.error());
  auto studio = Studio::open(opening->document, studio_.library(), loader_of(opening->files));
  if (!studio) return cannot(input::render(studio.error()));
  if (opening->name.empty()) opening->name = opening->document.text("name");
  OpenScenario next{std::move(*studio), std::move(*opening), {}, {}};
  if (stored && !stored->empty()) next.file = *stored;
  if (stored) next.saved_text = text_of(next);
  open_.open(std::move(next));
  return reopened(request);
}

/// Answers with the scenario that has become the open one.
Response Service::reopened(const Request& request) {
  surroundings_.is_chosen = true;
  advice_.reset();
  points_.clear();
  advisor_.cut();
  studio_.report_to(interrupts_.report);
  studio_.pause_when(interrupts_.pause);
  return changed(request, studio_.run(interrupts_.change_waits));
}

Response Service::step_back(const Request& request) {
  const Overtaken& overtaken = interrupts_.change_waits;
  if (studio_.step_count() > 0 || !open_.can_go_back()) {
    return changed(request, studio_.undo(overtaken));
  }
  open_.go_back();
  return reopened(request);
}

Response Service::step_on(const Request& request) {
  const Overtaken& overtaken = interrupts_.change_waits;
  if (studio_.step_count() < studio_.steps().size() || !open_.can_go_on()) {
    return changed(request, studio_.redo(overtaken));
  }
  open_.go_on();
  return reopened(request);
}

Response Service::first_page(const Value& body) const {
  ordered_json page = ordered_json::object();
  const Sources& sources = surroundings_.sources;
  const auto answers = texts_of(body, "answers");
  if (sources.form) page["form"] = sources.form(answers);
  if (input::find(body, "answers")) return json_response(page);
  if (sources.gallery) page["gallery"] = sources.gallery();
  page["folder"] = open_.folder().path();
  ordered_json& sessions = page["sessions"] = ordered_json::array();
  for (const SavedSession& each : open_.folder().latest(kMostSessions)) {
    sessions.push_back({{"file", each.file}, {"changed", each.changed}});
  }
  return json_response(page);
}

Response Service::card(const std::string& name) const {
  if (!surroundings_.sources.stored || name.find('/') != name.npos) {
    return error_response(404, "there is no such scenario");
  }
  const auto opening = surroundings_.sources.stored(name);
  if (!opening) return error_response(404, opening.error());
  return json_response(card_json(*opening, studio_.library()));
}

}  // namespace vgsim::studio
