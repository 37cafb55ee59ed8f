#include "models/scoring/score_file.hpp"

#include <nlohmann/json.hpp>
#include <set>
#include <variant>

#include "models/scoring/read/stored_score.hpp"

namespace vgsim::scoring {
namespace {

using Json = nlohmann::ordered_json;

void add_if(Json& out, const char* key, const std::optional<double>& value) {
  if (value) out[key] = *value;
}

const char* role_name(Role role) {
  switch (role) {
    case Role::kScored:
      return "scored";
    case Role::kGiven:
      return "given";
    case Role::kBlind:
      return "blind";
    case Role::kLeftOut:
      return "left_out";
  }
  return "";
}

Json facts_json(const std::vector<Fact>& facts) {
  Json out = Json::object();
  for (const Fact& fact : facts) {
    std::visit([&](const auto& value) { out[fact.name] = value; }, fact.value);
  }
  return out;
}

Json summary_json(const ErrorSummary& summary, const std::string& key,
                  const std::optional<Medians>& earlier) {
  if (summary.points == 0 && summary.not_run == 0) return nullptr;
  Json out = {{"groups", summary.groups},
              {"points", summary.points},
              {"not_run", summary.not_run},
              {"signed_median", summary.signed_median},
              {"median", summary.median},
              {"p90", summary.p90},
              {"worst", summary.worst},
              {"worst_at", summary.worst_at},
              {"median_factor", summary.median_factor},
              {"p90_factor", summary.p90_factor},
              {"too_low", summary.too_low}};
  if (const auto& intervals = summary.intervals) {
    out["inside"] = intervals->inside;
    out["width"] = intervals->width;
    out["interval_score"] = intervals->score;
  }
  if (const auto& differences = summary.differences) {
    out["differences"] = {{"pairs", differences->pairs},   {"stated", differences->stated},
                          {"right", differences->right},   {"undecided", differences->undecided},
                          {"inside", differences->inside}, {"apart", differences->apart},
                          {"missed", differences->missed}};
  }
  if (const auto& null = summary.null_model) {
    out["null_model"] = {{"points", null->points},
                         {"own_median", null->own_median},
                         {"median", null->median},
                         {"p90", null->p90}};
  }
  if (const auto& verdicts = summary.verdicts) {
    out["verdicts"] = {{"right", verdicts->right},
                       {"false_accepts", verdicts->false_accepts},
                       {"false_refusals", verdicts->false_refusals},
                       {"wrong_reasons", verdicts->wrong_reasons}};
  }
  add_if(out, "rank_correlation", summary.rank_correlation);
  if (summary.pairs > 0) out["pairs"] = {{"all", summary.pairs}, {"in_order", summary.in_order}};
  if (earlier && earlier->contains(key)) out["change"] = summary.median - earlier->at(key);
  return out;
}

Json point_json(const Point& point) {
  Json out = {{"label", point.label}, {"role", role_name(point.role)}};
  add_if(out, "measured", point.measured);
  add_if(out, "predicted", point.predicted);
  add_if(out, "error", point.error);
  if (point.interval) {
    out["low"] = point.interval->low;
    out["high"] = point.interval->high;
  }
  add_if(out, "null_model", point.null_model);
  add_if(out, "null_error", point.null_error);
  if (point.verdict) out["verdict"] = to_string(*point.verdict);
  if (!point.failure.empty()) out["failure"] = point.failure;
  out["facts"] = facts_json(point.facts);
  return out;
}

Json series_json(const MeasuredSeries& series) {
  Json points = Json::array();
  for (const Point& point : series.points) points.push_back(point_json(point));
  return {{"id", series.id}, {"metric", series.metric}, {"points", std::move(points)}};
}

Json case_json(const ScoredCase& scored, const Score& score) {
  const auto& [head, prediction] = scored;
  Json series = Json::array();
  for (const MeasuredSeries& each : prediction.series) series.push_back(series_json(each));
  return {{"title", head.title},
          {"class", head.class_name},
          {"group", head.group},
          {"grade", head.grade},
          {"facts", facts_json(prediction.facts)},
          {"error", summary_json(summarize({&scored}, kAll, score.kind.weighting),
                                 case_key(head.id), score.earlier)},
          {"series", std::move(series)}};
}

Json parts_json(const Score& score) {
  Json out = Json::object();
  const auto add = [&](const std::string& part) {
    out[part] = summary_json(summarize(counted(score.cases), part, score.kind.weighting),
                             part_key(part), score.earlier);
  };
  for (const std::string& part : score.kind.parts) add(part);
  for (const std::string& part : classes_of(score.cases)) add(part);
  return out;
}

Json missed_json(const std::vector<MissedThreshold>& missed) {
  Json out = Json::array();
  for (const auto& [threshold, value] : missed) {
    out.push_back({{threshold.is_case ? "case" : "part", threshold.of},
                   {"quantity", threshold.quantity->key},
                   {"limit", threshold.limit},
                   {"value", value ? Json(*value) : Json(nullptr)}});
  }
  return out;
}

std::string text_of(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string part_key(const std::string& part) { return "parts/" + part; }
std::string case_key(const std::string& id) { return "cases/" + id; }

std::vector<std::string> classes_of(const std::vector<ScoredCase>& cases) {
  std::set<std::string> names;
  for (const ScoredCase* scored : counted(cases)) {
    const ErrorSummary summary = summarize({scored}, kAll, Weighting::kPoints);
    const bool shows = summary.points + summary.not_run > 0;
    if (shows && !scored->head.class_name.empty()) names.insert(scored->head.class_name);
  }
  return {names.begin(), names.end()};
}

std::string to_json(const Score& score) {
  Json out;
  out["schema"] = kScoreFormat;
  out["kind"] = score.kind.name;
  out["parts"] = parts_json(score);
  out["missed_bars"] = missed_json(score.missed);
  out["cases"] = Json::object();
  for (const ScoredCase& scored : score.cases) {
    out["cases"][scored.head.id] = case_json(scored, score);
  }
  return text_of(out);
}

std::string predictions_json(const std::vector<ScoredCase>& cases) {
  Json out = Json::object();
  for (const ScoredCase& scored : cases) {
    Json& of_case = out[scored.head.id];
    if (scored.prediction.series.empty()) of_case = Json::object();
    for (const MeasuredSeries& series : scored.prediction.series) {
      for (const Point& point : series.points) {
        const auto& [name, place, factor] = point.source;
        Json& values = name.empty() ? of_case : of_case[name];
        while (values.size() <= place) values.push_back(nullptr);
        const bool is_shown = point.role != Role::kGiven && point.predicted;
        if (is_shown) values[place] = *point.predicted * factor;
      }
    }
  }
  return text_of(out);
}

}  // namespace vgsim::scoring
