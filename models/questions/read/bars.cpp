#include "models/questions/read/bars.hpp"

#include "topology/input/json_reader.hpp"
#include "topology/input/typed.hpp"

namespace vgsim::scenario {
namespace {

using namespace input;

constexpr double kMostError = 1e6;

Shape limit_shape(const Quantity& quantity) {
  return quantity.at_most ? number_shape(quantity.least, kMostError) : number_shape(0.0, 1.0);
}

Shape bar_limits_shape() {
  std::vector<Field> fields;
  for (const Quantity& quantity : quantities()) {
    fields.push_back(field(quantity.name, limit_shape(quantity)).describe(quantity.meaning));
  }
  return object_shape(std::move(fields));
}

const char* meaning_of(Band band) {
  switch (band) {
    case Band::kSmall:
      return "up to 4 KiB";
    case Band::kMedium:
      return "64 kB to 64 MiB";
    case Band::kLarge:
      return "256 MB and more";
    case Band::kAll:
      return "all sizes";
  }
  return "";
}

}  // namespace

const std::vector<Quantity>& quantities() {
  using Summary = const ErrorSummary&;
  static const std::vector<Quantity> table = {
      {"median", "most that the median of |error| may be; 0.1 is 10 %",
       [](Summary s) { return s.median; }, true, 0},
      {"p90", "most that the 90th percentile of |error| may be", [](Summary s) { return s.p90; },
       true, 0},
      {"median_factor", "most that the median factor may be; 1.5 is half as long again, or 1/1.5",
       [](Summary s) { return s.median_factor; }, true, 1},
      {"p90_factor", "most that the 90th percentile of the factor may be",
       [](Summary s) { return s.p90_factor; }, true, 1},
      {"inside",
       "least share of the points that must lie in the predicted interval, the mean over groups",
       [](Summary s) { return s.intervals.inside; }, false, 0},
      {"width", "most that the width of intervals may be: the median over groups of high over low",
       [](Summary s) { return s.intervals.width; }, true, 1},
      {"interval_score",
       "most that the interval score may be, as the width of an interval that holds all",
       [](Summary s) { return s.intervals.score; }, true, 1},
  };
  return table;
}

Shape bars_shape() {
  std::vector<Field> bands;
  for (const Band band : kBands) {
    bands.push_back(
        field(to_string(band), object_shape({
                                   field(to_string(Nodes::kOne), bar_limits_shape()),
                                   field(to_string(Nodes::kSeveral), bar_limits_shape()),
                               }))
            .describe(meaning_of(band)));
  }
  return object_shape({
      field("format", enum_shape({"vgsim.bars/1"})).required(),
      field("bands", object_shape(std::move(bands)))
          .required()
          .describe("limits by message size and number of nodes, over groups of grade A and B"),
  });
}

tl::expected<std::vector<Bar>, Diagnostics> read_bars(const SourcePtr& file) {
  const auto document = read_json(file);
  if (!document) return tl::unexpected(document.error());
  Diagnostics diagnostics;
  check(*document, bars_shape(), diagnostics);
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
  std::vector<Bar> bars;
  const Value bands = *find(*document, "bands");
  for (const Band band : kBands) {
    const auto by_nodes = find(bands, to_string(band));
    for (const Nodes nodes : kNodes) {
      const auto limits = by_nodes ? find(*by_nodes, to_string(nodes)) : std::nullopt;
      if (!limits) continue;
      for (const Quantity& quantity : quantities()) {
        const auto limit = find(*limits, quantity.name);
        if (limit) bars.push_back({band, nodes, &quantity, as_double(*limit)});
      }
    }
  }
  return bars;
}

std::vector<MissedBar> missed_bars(const std::vector<ScoredCase>& cases,
                                   const std::vector<Bar>& bars) {
  std::vector<MissedBar> missed;
  for (const Bar& bar : bars) {
    const auto summary = band_summary(cases, bar.band, bar.nodes);
    if (!summary) {
      missed.push_back({bar, std::nullopt});
      continue;
    }
    const double value = bar.quantity->value(*summary);
    const bool met = bar.quantity->at_most ? value <= bar.limit : value >= bar.limit;
    if (!met) missed.push_back({bar, value});
  }
  return missed;
}

}  // namespace vgsim::scenario
