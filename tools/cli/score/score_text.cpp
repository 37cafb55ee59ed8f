#include "tools/cli/score/score_text.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "tools/cli/score/interval_rows.hpp"
#include "tools/text/table.hpp"
#include "tools/text/words.hpp"
#include "topology/input/units/unit_strings.hpp"

namespace vgsim::cli {
namespace {

using scenario::Band;
using scenario::ErrorSummary;
using scenario::Medians;
using scenario::Nodes;
using scenario::PointError;
using scenario::ScoredCase;
using Cells = std::vector<std::string>;
using Summary = std::optional<ErrorSummary>;

std::string signed_percent(double share) { return fmt::format("{:+.1f} %", share * 100.0); }
std::string factor_text(double factor) { return fmt::format("x{:.2f}", factor); }

/// Small messages are told by their factor, all others in percent.
std::string median_text(const Summary& summary, Band band) {
  if (!summary) return "-";
  return band == Band::kSmall ? factor_text(summary->median_factor) : percent(summary->median);
}

/// How the median changed, in percentage points; "new" if there was none before.
std::string change_text(const Summary& summary, const std::optional<Medians>& earlier,
                        const std::string& key) {
  if (!earlier || !summary) return "";
  const auto then = earlier->find(key);
  if (then == earlier->end()) return "new";
  const double change = summary->median - then->second;
  if (std::abs(change) < 0.0005) return "same";
  return fmt::format("{:+.1f}", change * 100.0);
}

std::string size_text(Bytes size) {
  constexpr std::pair<std::int64_t, const char*> kUnits[] = {
      {1LL << 30, "GiB"}, {1LL << 20, "MiB"}, {1LL << 10, "KiB"}};
  for (const auto& [unit, name] : kUnits) {
    if (size.count() >= unit && size.count() % unit == 0) {
      return fmt::format("{} {}", size.count() / unit, name);
    }
  }
  return input::format_bytes(size);
}

/// A class or a case with what its row shows.
struct Row {
  std::string name;
  std::string about;  ///< class of a case, groups of a class
  std::string key;
  Summary all;
  Summary small;
  Summary medium;
  Summary large;
};

/// Worst first; of equal ones by name.
void sort_rows(std::vector<Row>& rows) {
  std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
    return a.all->median != b.all->median ? a.all->median > b.all->median : a.name < b.name;
  });
}

Cells head(Cells first, const std::optional<Medians>& earlier) {
  first.insert(first.end(), {"points", "small", "medium", "large", "signed", "median", "p90",
                             "worst", "at", "inside"});
  if (earlier) first.emplace_back("change");
  return first;
}

Cells cells_of(const Row& row, const std::optional<Medians>& earlier) {
  Cells cells{row.name, row.about};
  cells.insert(cells.end(),
               {fmt::format("{}", row.all->points), median_text(row.small, Band::kSmall),
                median_text(row.medium, Band::kMedium), median_text(row.large, Band::kLarge),
                signed_percent(row.all->signed_median), percent(row.all->median),
                percent(row.all->p90), signed_percent(row.all->worst),
                size_text(row.all->worst_size), percent(row.all->intervals.inside)});
  if (earlier) cells.push_back(change_text(row.all, earlier, row.key));
  return cells;
}

std::string table_of(std::vector<Row> rows, Cells first, const std::optional<Medians>& earlier) {
  sort_rows(rows);
  Table table;
  table.add_row(head(std::move(first), earlier));
  for (const Row& row : rows) table.add_row(cells_of(row, earlier));
  return table.text();
}

std::vector<Row> class_rows(const std::vector<ScoredCase>& cases) {
  std::vector<Row> rows;
  for (const std::string& name : scenario::classes_of(cases)) {
    const auto in = [&](Band band) { return scenario::class_summary(cases, name, band); };
    const Summary all = in(Band::kAll);
    rows.push_back({name, fmt::format("{}", all->groups), scenario::class_key(name), all,
                    in(Band::kSmall), in(Band::kMedium), in(Band::kLarge)});
  }
  return rows;
}

std::vector<Row> case_rows(const std::vector<ScoredCase>& cases, bool counts) {
  std::vector<Row> rows;
  for (const ScoredCase& scored : cases) {
    if (scored.errors.empty() || scored.counts() != counts) continue;
    const auto in = [&](Band band) { return scenario::case_summary(scored, band); };
    const std::string id = scored.measured.id;
    rows.push_back({id, scored.measured.topology_class, scenario::case_key(id), in(Band::kAll),
                    in(Band::kSmall), in(Band::kMedium), in(Band::kLarge)});
  }
  return rows;
}

std::string name_of(Band band, Nodes nodes) {
  return fmt::format("{}, {}", band == Band::kAll ? "all sizes" : scenario::to_string(band),
                     nodes == Nodes::kOne ? "one node" : "several nodes");
}

Cells band_cells(const ErrorSummary& all, Band band) {
  const bool as_factor = band == Band::kSmall;
  return {fmt::format("{}", all.groups),
          fmt::format("{}", all.points),
          as_factor ? factor_text(1.0 + all.signed_median) : signed_percent(all.signed_median),
          as_factor ? factor_text(all.median_factor) : percent(all.median),
          as_factor ? factor_text(all.p90_factor) : percent(all.p90),
          signed_percent(all.worst)};
}

std::string bands_text(const std::vector<ScoredCase>& cases,
                       const std::optional<Medians>& earlier) {
  Table table;
  Cells header{"message size", "groups", "points", "signed", "median", "p90", "worst"};
  if (earlier) header.emplace_back("change");
  table.add_row(std::move(header));
  for (const Band band : scenario::kBands) {
    for (const Nodes nodes : scenario::kNodes) {
      const Summary summary = scenario::band_summary(cases, band, nodes);
      if (!summary) continue;
      Cells cells{name_of(band, nodes)};
      for (std::string& cell : band_cells(*summary, band)) cells.push_back(std::move(cell));
      if (earlier) {
        cells.push_back(change_text(summary, earlier, scenario::band_key(band, nodes)));
      }
      table.add_row(std::move(cells));
    }
  }
  return table.text();
}

/// What intervals hold, beside how wide they are.
std::string intervals_text(const std::vector<ScoredCase>& cases) {
  Table table;
  table.add_row(interval_head("intervals of"));
  for (const Band band : scenario::kBands) {
    for (const Nodes nodes : scenario::kNodes) {
      const Summary summary = scenario::band_summary(cases, band, nodes);
      if (!summary) continue;
      table.add_row(interval_cells(name_of(band, nodes), summary->intervals));
    }
  }
  return table.text();
}

std::string microseconds(double seconds) { return fmt::format("{:.2f}", seconds * 1e6); }

/// Every point of a case, blind ones with their prediction alone.
std::string points_text(const ScoredCase& scored) {
  Table table;
  table.add_row({"size", "measured", "predicted", "low", "high", "error", "inside"});
  table.add_row({"(B)", "(us)", "(us)", "(us)", "(us)", "", ""});
  auto error = scored.errors.begin();
  for (std::size_t p = 0; p < scored.measured.points.size(); ++p) {
    const scenario::MeasuredPoint& point = scored.measured.points[p];
    const std::string size = fmt::format("{:>12}", point.size.count());
    if (!point.is_measured()) {
      const auto& chosen = scored.prediction.points[p].chosen;
      table.add_row({size, "-", microseconds(to_seconds(chosen.time)),
                     microseconds(to_seconds(chosen.low)), microseconds(to_seconds(chosen.high)),
                     "-", "-"});
      continue;
    }
    table.add_row({size, microseconds(error->measured_s), microseconds(error->predicted_s),
                   microseconds(error->low_s), microseconds(error->high_s),
                   signed_percent(error->error), error->inside ? "yes" : "no"});
    ++error;
  }
  return fmt::format("{}\n{} on {}, {}, grade {}\n\n", scored.measured.title,
                     plural(scored.prediction.ranks, "rank"),
                     plural(scored.prediction.nodes, "node"), scored.measured.topology_class,
                     scenario::to_string(scored.measured.grade)) +
         table.text();
}

std::string blind_text(const std::vector<ScoredCase>& cases) {
  std::size_t points = 0;
  std::size_t blind_cases = 0;
  for (const ScoredCase& scored : cases) {
    const std::size_t blind = scored.measured.points.size() - scored.errors.size();
    points += blind;
    blind_cases += blind > 0 ? 1 : 0;
  }
  if (points == 0) return {};
  return fmt::format("\n{} of {} not measured: predicted, not scored\n", plural(points, "point"),
                     plural(blind_cases, "case"));
}

/// Cases that stood in the earlier score and do not any more.
std::string gone_text(const std::vector<ScoredCase>& cases, const std::optional<Medians>& earlier) {
  if (!earlier) return {};
  std::string gone;
  const std::string prefix = scenario::case_key("");
  for (const auto& [key, median] : *earlier) {
    const bool is_case = key.starts_with(prefix);
    const bool is_here =
        std::any_of(cases.begin(), cases.end(), [&, &key = key](const ScoredCase& scored) {
          return scenario::case_key(scored.measured.id) == key;
        });
    if (is_case && !is_here) gone += (gone.empty() ? "" : ", ") + key.substr(prefix.size());
  }
  return gone.empty() ? gone : wrap("\nnot in this score, but in the baseline: " + gone, 2) + "\n";
}

constexpr const char* kLegend =
    "error = (predicted - measured) / measured, of times; over groups of cases, each with the "
    "median of its own points. small: up to 4 KiB, as a factor; medium: 64 kB to 64 MiB; large: "
    "256 "
    "MB and more. signed: median with its sign; median, p90: of |error|; inside: measurements in "
    "the predicted interval, of which nine in ten should be, each group counted once; width: high "
    "over low; score: the width of an interval that would hold all, less is better";

}  // namespace

std::string score_text(const std::vector<ScoredCase>& cases,
                       const std::optional<Medians>& earlier) {
  std::string text;
  const auto counted = case_rows(cases, true);
  const auto diagnostic = case_rows(cases, false);
  if (cases.size() == 1) {
    text += points_text(cases.front());
    if (!counted.empty()) text += "\n" + bands_text(cases, earlier);
  } else if (!counted.empty()) {
    text += bands_text(cases, earlier) + "\n" + intervals_text(cases) + "\n" +
            table_of(class_rows(cases), {"class", "groups"}, earlier) + "\n" +
            table_of(counted, {"case", "class"}, earlier);
  }
  if (!diagnostic.empty()) {
    text += std::string(text.empty() ? "" : "\n") + "diagnostic only (grade C)\n" +
            table_of(diagnostic, {"case", "class"}, earlier);
  }
  text += blind_text(cases) + gone_text(cases, earlier);
  if (!counted.empty() || !diagnostic.empty()) text += "\n" + wrap(kLegend, 0) + "\n";
  if (earlier) text += "change: of the median, in percentage points; below 0 is better\n";
  return text;
}

std::string missed_text(const std::vector<scenario::MissedBar>& missed) {
  if (missed.empty()) return {};
  Table table;
  table.add_row({"missed", "quantity", "limit", "reached"});
  for (const scenario::MissedBar& miss : missed) {
    const auto& quantity = *miss.bar.quantity;
    table.add_row({name_of(miss.bar.band, miss.bar.nodes), quantity.name,
                   fmt::format("{} {}", quantity.at_most ? "<=" : ">=", miss.bar.limit),
                   miss.value ? fmt::format("{:.4f}", *miss.value) : "no case"});
  }
  return table.text();
}

}  // namespace vgsim::cli
