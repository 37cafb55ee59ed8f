#include "models/questions/score/score_file.hpp"

#include <nlohmann/json.hpp>

namespace vgsim::scenario {
namespace {

using Json = nlohmann::ordered_json;

/// Writes the parts of one score.
class Writer {
 public:
  explicit Writer(const std::optional<Medians>& earlier) : earlier_(earlier) {}

  [[nodiscard]] Json summary(const std::optional<ErrorSummary>& summary,
                             const std::string& key) const {
    if (!summary) return nullptr;
    Json out = {{"groups", summary->groups},
                {"points", summary->points},
                {"signed_median", summary->signed_median},
                {"median", summary->median},
                {"p90", summary->p90},
                {"worst", summary->worst},
                {"worst_bytes", summary->worst_size.count()},
                {"median_factor", summary->median_factor},
                {"p90_factor", summary->p90_factor},
                {"inside", summary->intervals.inside},
                {"width", summary->intervals.width},
                {"interval_score", summary->intervals.score}};
    if (earlier_ && earlier_->contains(key)) {
      out["change"] = summary->median - earlier_->at(key);
    }
    return out;
  }

  [[nodiscard]] Json bands(const std::vector<ScoredCase>& cases) const {
    Json out = Json::object();
    for (const Band band : kBands) {
      for (const Nodes nodes : kNodes) {
        out[to_string(band)][to_string(nodes)] =
            summary(band_summary(cases, band, nodes), band_key(band, nodes));
      }
    }
    return out;
  }

  [[nodiscard]] Json classes(const std::vector<ScoredCase>& cases) const {
    Json out = Json::object();
    for (const std::string& name : classes_of(cases)) {
      out[name] = summary(class_summary(cases, name, Band::kAll), class_key(name));
    }
    return out;
  }

  [[nodiscard]] Json scored(const ScoredCase& scored) const {
    Json points = Json::array();
    for (const PointError& point : scored.errors) {
      points.push_back({{"bytes", point.size.count()},
                        {"measured_s", point.measured_s},
                        {"predicted_s", point.predicted_s},
                        {"low_s", point.low_s},
                        {"high_s", point.high_s},
                        {"error", point.error},
                        {"inside", point.inside}});
    }
    return {{"title", scored.measured.title},
            {"class", scored.measured.topology_class},
            {"group", scored.measured.group},
            {"grade", to_string(scored.measured.grade)},
            {"ranks", scored.prediction.ranks},
            {"nodes", scored.prediction.nodes},
            {"error", summary(case_summary(scored, Band::kAll), case_key(scored.measured.id))},
            {"points", std::move(points)}};
  }

 private:
  const std::optional<Medians>& earlier_;
};

Json missed_json(const std::vector<MissedBar>& missed) {
  Json out = Json::array();
  for (const MissedBar& miss : missed) {
    out.push_back({{"band", to_string(miss.bar.band)},
                   {"nodes", to_string(miss.bar.nodes)},
                   {"quantity", miss.bar.quantity->name},
                   {"limit", miss.bar.limit},
                   {"value", miss.value ? Json(*miss.value) : Json(nullptr)}});
  }
  return out;
}

std::string string_at(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string to_json(const std::vector<ScoredCase>& cases, const std::optional<Medians>& earlier,
                    const std::vector<MissedBar>& missed) {
  const Writer writer(earlier);
  Json out;
  out["schema"] = kScoreFormat;
  out["bands"] = writer.bands(cases);
  out["classes"] = writer.classes(cases);
  out["missed_bars"] = missed_json(missed);
  out["cases"] = Json::object();
  for (const ScoredCase& scored : cases) out["cases"][scored.measured.id] = writer.scored(scored);
  return string_at(out);
}

std::string predictions_json(const std::vector<ScoredCase>& cases) {
  Json out = Json::object();
  for (const ScoredCase& scored : cases) {
    Json times = Json::array();
    for (const PredictedPoint& point : scored.prediction.points) {
      times.push_back(static_cast<double>(point.chosen.time.count()) / 1e6);
    }
    out[scored.measured.id] = std::move(times);
  }
  return string_at(out);
}

}  // namespace vgsim::scenario
