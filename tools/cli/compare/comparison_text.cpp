#include "tools/cli/compare/comparison_text.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "models/questions/read/document_changes.hpp"
#include "tools/cli/compare/subject_metrics.hpp"
#include "tools/text/figures.hpp"
#include "tools/text/limits_text.hpp"
#include "tools/text/table.hpp"
#include "tools/text/words.hpp"

namespace vgsim::cli {
namespace {

using scenario::Metric;
using Json = nlohmann::ordered_json;

constexpr std::size_t kBesideTheFirst = 2;
constexpr std::size_t kMostChanges = 40;

std::string changes_text(const Subject& first, const Subject& other) {
  if (!first.document || !other.document) {
    return fmt::format("inputs of {} and {}: not kept with the result\n", first.label, other.label);
  }
  const auto changes = scenario::document_changes(*first.document, *other.document);
  if (changes.empty()) {
    return fmt::format("inputs of {} and {} are the same\n", first.label, other.label);
  }
  std::string text = fmt::format("inputs of {} and {} differ in {}\n", first.label, other.label,
                                 text::plural(changes.size(), "place"));
  std::size_t width = 0;
  const std::size_t shown = std::min(changes.size(), kMostChanges);
  for (std::size_t i = 0; i < shown; ++i) width = std::max(width, changes[i].pointer.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const auto& each = changes[i];
    text += fmt::format("  {:<{}}  {} -> {}\n", each.pointer, width,
                        each.before.empty() ? "unset" : each.before,
                        each.after.empty() ? "unset" : each.after);
  }
  if (shown < changes.size()) text += fmt::format("  and {} more\n", changes.size() - shown);
  return text;
}

std::string interval_text(const Metric* metric) {
  if (metric == nullptr || !metric->low) return "-";
  return text::range_figure(*metric);
}

std::string cell_text(const Subject& subject, const Metric* metric) {
  return metric == nullptr ? "-" : text::figure(*metric, subject.metrics);
}

/// The first subject next to a few others.
std::string table_text(const std::vector<Subject>& all, std::size_t begin, std::size_t end) {
  const Subject& first = all.front();
  text::Table table;
  std::vector<std::string> head{"", first.label};
  for (std::size_t i = begin; i < end; ++i) {
    head.push_back(all[i].label);
    head.emplace_back("change");
  }
  table.add_row(std::move(head));
  for (const Metric& metric : shown_metrics(all)) {
    const Metric* before = metric_of(first, metric.name);
    std::vector<std::string> row{metric.label};
    std::vector<std::string> intervals{"  90 % interval", interval_text(before)};
    bool has_interval = before != nullptr && before->low;
    row.push_back(cell_text(first, before));
    for (std::size_t i = begin; i < end; ++i) {
      const Metric* now = metric_of(all[i], metric.name);
      row.push_back(cell_text(all[i], now));
      row.push_back(change_words(before, now));
      intervals.push_back(interval_text(now));
      intervals.emplace_back("");
      has_interval |= now != nullptr && now->low;
    }
    table.add_row(std::move(row));
    if (has_interval && metric.name.find('@') == std::string::npos) {
      table.add_row(std::move(intervals));
    }
  }
  std::vector<std::string> limits{"bottleneck", text::limit_words(first.bottleneck)};
  for (std::size_t i = begin; i < end; ++i) {
    const scenario::Limit& limit = all[i].bottleneck;
    limits.push_back(text::limit_words(limit));
    limits.push_back(limit.what == first.bottleneck.what ? "same" : "another");
  }
  table.add_row(std::move(limits));
  return table.text();
}

}  // namespace

std::string comparison_text(const std::vector<Subject>& subjects) {
  std::string text;
  for (std::size_t i = 1; i < subjects.size(); ++i) {
    text += changes_text(subjects.front(), subjects[i]);
  }
  for (std::size_t begin = 1; begin < subjects.size(); begin += kBesideTheFirst) {
    text += "\n" + table_text(subjects, begin, std::min(begin + kBesideTheFirst, subjects.size()));
  }
  return text;
}

std::string comparison_json(const std::vector<Subject>& subjects) {
  Json out{{"schema", "vgsim.comparison/1"},
           {"subjects", Json::array()},
           {"differences", Json::array()},
           {"metrics", Json::object()}};
  for (const Subject& subject : subjects) {
    out["subjects"].push_back(
        {{"label", subject.label},
         {"file", subject.file},
         {"layout", subject.name},
         {"bottleneck", {{"kind", subject.bottleneck.what}, {"share", subject.bottleneck.share}}}});
    Json changes = Json::array();
    if (subject.document && subjects.front().document) {
      for (const auto& each :
           scenario::document_changes(*subjects.front().document, *subject.document)) {
        changes.push_back(
            {{"pointer", each.pointer}, {"before", each.before}, {"after", each.after}});
      }
    }
    out["differences"].push_back(std::move(changes));
  }
  for (const Metric& metric : all_metrics(subjects)) {
    Json& row = out["metrics"][metric.name];
    for (const Subject& subject : subjects) {
      const Metric* own = metric_of(subject, metric.name);
      const Metric* first = metric_of(subjects.front(), metric.name);
      row["values"].push_back(own == nullptr ? Json(nullptr) : Json(own->value));
      const bool compares = own != nullptr && first != nullptr && first->value != 0.0;
      row["ratios"].push_back(compares ? Json(own->value / first->value) : Json(nullptr));
    }
  }
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace vgsim::cli
