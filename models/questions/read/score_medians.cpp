#include "models/questions/read/score_medians.hpp"

#include "topology/input/json_reader.hpp"
#include "topology/input/typed.hpp"

namespace vgsim::scenario {

using namespace input;

namespace {

Shape summary_shape() {
  const auto number = [](const char* name) { return field(name, number_shape()).required(); };
  const auto count = [](const char* name) { return field(name, count_shape()).required(); };
  return object_shape({count("groups"), count("points"), number("signed_median"), number("median"),
                       number("p90"), number("worst"), count("worst_bytes"),
                       number("median_factor"), number("p90_factor"), number("inside"),
                       field("width", number_shape()), field("interval_score", number_shape()),
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
