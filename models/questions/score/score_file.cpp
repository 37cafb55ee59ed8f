#include "models/questions/score/score_file.hpp"

#include <nlohmann/json.hpp>

#include "topology/input/json_reader.hpp"
#include "topology/input/typed.hpp"

namespace vgsim::scenario {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kScoreFormat = "vgsim.score/1";

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
                {"inside", summary->inside}};
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

using namespace input;

Shape summary_shape() {
  const auto number = [](const char* name) { return field(name, number_shape()).required(); };
  const auto count = [](const char* name) { return field(name, count_shape()).required(); };
  return object_shape({count("groups"), count("points"), number("signed_median"), number("median"),
                       number("p90"), number("worst"), count("worst_bytes"),
                       number("median_factor"), number("p90_factor"), number("inside"),
                       field("change", number_shape())})
      .nullable();
}

Shape scored_case_shape() {
  const auto number = [](const char* name) { return field(name, number_shape()).required(); };
  return object_shape({
      field("title", string_shape()).required(),
      field("class", name_shape()).required(),
      field("group", name_shape()).required(),
      field("grade", enum_shape({"A", "B", "C"})).required(),
      field("ranks", count_shape()).required(),
      field("nodes", count_shape()).required(),
      field("error", summary_shape()).required(),
      field("points", array_shape(object_shape({field("bytes", count_shape()).required(),
                                                number("measured_s"), number("predicted_s"),
                                                number("low_s"), number("high_s"), number("error"),
                                                field("inside", boolean_shape()).required()})))
          .required(),
  });
}

Shape bands_shape() {
  std::vector<Field> bands;
  for (const Band band : kBands) {
    bands.push_back(
        field(to_string(band),
              object_shape({field(to_string(Nodes::kOne), summary_shape()).required(),
                            field(to_string(Nodes::kSeveral), summary_shape()).required()}))
            .required());
  }
  return object_shape(std::move(bands));
}

void add_median(Medians& medians, std::string key, const Value& summary) {
  if (summary.is_null()) return;
  medians.emplace(std::move(key), as_double(*find(summary, "median")));
}

}  // namespace

std::string band_key(Band band, Nodes nodes) {
  return std::string("bands/") + to_string(band) + "/" + to_string(nodes);
}

std::string class_key(const std::string& topology_class) { return "classes/" + topology_class; }

std::string case_key(const std::string& id) { return "cases/" + id; }

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

Shape score_shape() {
  return object_shape({
      field("schema", enum_shape({kScoreFormat})).required(),
      field("bands", bands_shape()).required(),
      field("classes", map_shape("class of machines", summary_shape())).required(),
      field("missed_bars", array_shape(object_shape({
                               field("band", name_shape()).required(),
                               field("nodes", name_shape()).required(),
                               field("quantity", name_shape()).required(),
                               field("limit", number_shape()).required(),
                               field("value", number_shape().nullable()).required(),
                           })))
          .required(),
      field("cases", map_shape("id of a case", scored_case_shape())).required(),
  });
}

tl::expected<Medians, Diagnostics> read_medians(const SourcePtr& file) {
  const auto document = read_json(file);
  if (!document) return tl::unexpected(document.error());
  Diagnostics diagnostics;
  check(*document, score_shape(), diagnostics);
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
  Medians medians;
  const Value bands = *find(*document, "bands");
  for (const Band band : kBands) {
    for (const Nodes nodes : kNodes) {
      add_median(medians, band_key(band, nodes),
                 *find(*find(bands, to_string(band)), to_string(nodes)));
    }
  }
  for (const Member& member : find(*document, "classes")->members()) {
    add_median(medians, class_key(member.name), member.value);
  }
  for (const Member& member : find(*document, "cases")->members()) {
    add_median(medians, case_key(member.name), *find(member.value, "error"));
  }
  return medians;
}

}  // namespace vgsim::scenario
