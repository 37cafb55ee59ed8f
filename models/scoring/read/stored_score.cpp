#include "models/scoring/read/stored_score.hpp"

#include "topology/input/json_reader.hpp"
#include "topology/input/typed.hpp"

namespace vgsim::scoring {
namespace {

using namespace input;

Field figure(const char* name) { return field(name, number_shape()); }
Field whole(const char* name) { return field(name, count_shape()); }
Field word(const char* name) { return field(name, string_shape()); }

Shape summary_shape() {
  return object_shape(
             {whole("groups").required(), whole("points").required(), whole("not_run").required(),
              figure("signed_median").required(), figure("median").required(),
              figure("p90").required(), figure("worst").required(), word("worst_at").required(),
              figure("median_factor").required(), figure("p90_factor").required(),
              figure("too_low").required(), figure("inside"), figure("width"),
              figure("interval_score"),
              field("null_model",
                    object_shape({whole("points").required(), figure("own_median").required(),
                                  figure("median").required(), figure("p90").required()})),
              field("verdicts",
                    object_shape({whole("right").required(), whole("false_accepts").required(),
                                  whole("false_refusals").required(),
                                  whole("wrong_reasons").required()})),
              figure("rank_correlation"),
              field("pairs", object_shape({whole("all").required(), whole("in_order").required()})),
              figure("change")})
      .nullable();
}

Shape facts_shape() {
  return map_shape("name of a property",
                   any_of_shape({number_shape(), boolean_shape(), string_shape()}));
}

Shape scored_point_shape() {
  return object_shape({
      word("label").required().describe("label of the point"),
      field("role", enum_shape({"scored", "given", "blind", "left_out"})).required(),
      figure("measured"),
      figure("predicted"),
      figure("error").describe("(predicted - measured) / measured; of verdicts the difference"),
      figure("low").describe("of the predicted interval"),
      figure("high"),
      figure("null_model").describe("prediction of the null model"),
      figure("null_error"),
      field("verdict", enum_shape({"right", "false accept", "false refusal", "wrong reason"}))
          .describe("of a verdict, against that of the sources"),
      word("failure").describe("why there is no prediction"),
      field("facts", facts_shape()).required(),
  });
}

Shape scored_case_shape() {
  return object_shape({
      word("title").required(),
      word("class").required(),
      field("group", name_shape()).required(),
      field("grade", enum_shape({"A", "B", "C"})).required(),
      field("facts", facts_shape()).required(),
      field("error", summary_shape()).required(),
      field("series", array_shape(object_shape({
                          word("id").required(),
                          field("metric", name_shape()).required(),
                          field("points", array_shape(scored_point_shape())).required(),
                      })))
          .required(),
  });
}

Shape missed_shape() {
  return object_shape({word("part"), word("case"), field("quantity", name_shape()).required(),
                       figure("limit").required(),
                       field("value", number_shape().nullable()).required()});
}

void add_median(Medians& medians, std::string key, const Value& summary) {
  if (summary.is_null()) return;
  medians.emplace(std::move(key), as_double(*find(summary, "median")));
}

}  // namespace

Shape score_shape() {
  return object_shape({
      field("schema", enum_shape({kScoreFormat})).required(),
      field("kind", name_shape()).required().describe("kind of the cases"),
      field("parts", map_shape("part of the score", summary_shape())).required(),
      field("missed_bars", array_shape(missed_shape())).required(),
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
  for (const Member& member : find(*document, "parts")->members()) {
    add_median(medians, part_key(member.name), member.value);
  }
  for (const Member& member : find(*document, "cases")->members()) {
    add_median(medians, case_key(member.name), *find(member.value, "error"));
  }
  return medians;
}

}  // namespace vgsim::scoring
