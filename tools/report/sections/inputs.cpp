#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "tools/report/facts.hpp"
#include "tools/report/sections/sections.hpp"
#include "tools/text/measured_like.hpp"
#include "tools/text/words.hpp"

namespace vgsim::report {
namespace {

using scenario::LayoutResult;
using scenario::UsedInput;

constexpr std::size_t kMostInputRows = 400;  ///< more would make the file large

/// An input, with its layouts.
struct Entry {
  UsedInput input;
  std::vector<std::string> layouts;
};

std::vector<Entry> entries_of(const Report& report) {
  std::map<std::tuple<std::string, std::string>, Entry> found;
  for (const LayoutResult& layout : report.result.layouts) {
    for (const UsedInput& input : layout.inputs) {
      Entry& entry = found[{input.name, input.value}];
      entry.input = input;
      entry.layouts.push_back(layout.name);
    }
  }
  std::vector<Entry> entries;
  for (auto& [key, entry] : found) entries.push_back(std::move(entry));
  return entries;
}

std::string evidence_words(const UsedInput& input) {
  return fmt::format("{}, {}", scenario::to_string(input.knowledge),
                     input.calibrated ? "calibrated" : "default");
}

/// Sources by number, from 1, in the order in which the tables name them.
class Sources {
 public:
  std::string number_of(const std::string& source) {
    if (source.empty()) return "-";
    auto known = std::find(sources_.begin(), sources_.end(), source);
    if (known == sources_.end()) known = sources_.insert(known, source);
    return fmt::format("[{}]", known - sources_.begin() + 1);
  }

  [[nodiscard]] List list() const {
    List list;
    for (const std::string& source : sources_) {
      list.items.push_back(fmt::format("[{}] {}", list.items.size() + 1, source));
    }
    return list;
  }

 private:
  std::vector<std::string> sources_;
};

Table inputs_table(const Report& report, const std::vector<Entry>& entries, bool assumed,
                   Sources& sources) {
  Table table{{{"input", false},
               {"value", true},
               {"90 % interval", true},
               {"evidence", false, true},
               {"source", true}},
              {},
              Narrow::kStacks};
  const std::size_t all = simulated(report).size();
  for (const auto& [input, layouts] : entries) {
    if ((input.knowledge == scenario::Knowledge::kAssumed) != assumed) continue;
    if (table.rows.size() == kMostInputRows) break;
    const std::string name =
        layouts.size() >= all ? input.name : fmt::format("{} ({})", input.name, listed(layouts));
    const std::string interval =
        input.low.empty() ? std::string("-") : fmt::format("{} to {}", input.low, input.high);
    table.rows.push_back(
        {name, input.value, interval, evidence_words(input), sources.number_of(input.source)});
  }
  return table;
}

/// Assumptions of all layouts; one of some layouts only is prefixed with their names.
std::vector<std::string> assumptions_of(const Report& report) {
  std::vector<std::pair<std::string, std::vector<std::string>>> found;
  std::size_t layouts = 0;
  for (const LayoutResult& layout : report.result.layouts) {
    ++layouts;
    for (const std::string& assumption : layout.assumptions) {
      const auto known = std::find_if(found.begin(), found.end(),
                                      [&](const auto& each) { return each.first == assumption; });
      if (known == found.end()) {
        found.push_back({assumption, {layout.name}});
      } else if (known->second.back() != layout.name) {
        known->second.push_back(layout.name);
      }
    }
  }
  std::vector<std::string> words;
  for (const auto& [assumption, of] : found) {
    words.push_back(of.size() == layouts ? assumption
                                         : fmt::format("{}: {}", listed(of), assumption));
  }
  return words;
}

}  // namespace

std::optional<Section> inputs_section(const Report& report) {
  const auto entries = entries_of(report);
  auto assumptions = assumptions_of(report);
  if (entries.empty() && assumptions.empty()) return std::nullopt;
  std::vector<UsedInput> inputs;
  for (const Entry& entry : entries) inputs.push_back(entry.input);
  const auto count = scenario::count_knowledge(inputs);
  Section section{"inputs", "Assumptions", "", {}};
  section.heading = fmt::format("{} in addition to the scenario: {}",
                                text::plural(entries.size(), "number"), to_string(count));
  for (const LayoutResult& layout : report.result.layouts) {
    if (layout.calibration.empty()) continue;
    section.blocks.emplace_back(
        Paragraph{fmt::format("Calibrated, {}: {}.", layout.name, layout.calibration), false});
  }
  if (auto measured = text::measured_like_words(report.result); !measured.empty()) {
    section.blocks.emplace_back(Paragraph{"Machines that the models were compared with:", false});
    section.blocks.emplace_back(List{std::move(measured)});
  }
  Sources sources;
  if (count.assumed > 0) {
    section.blocks.emplace_back(Paragraph{"Assumed: measure these first.", false});
    section.blocks.emplace_back(inputs_table(report, entries, true, sources));
  }
  if (const std::size_t known = entries.size() - count.assumed; known > 0) {
    section.blocks.emplace_back(
        Details{fmt::format("{} measured, fitted or documented", text::plural(known, "number")),
                {inputs_table(report, entries, false, sources)},
                true});
  }
  if (List list = sources.list(); !list.items.empty()) {
    section.blocks.emplace_back(Details{"Sources", {std::move(list)}, true});
  }
  if (!assumptions.empty()) {
    section.blocks.emplace_back(Paragraph{"Assumptions where the scenario is silent:", false});
    section.blocks.emplace_back(List{std::move(assumptions)});
  }
  return section;
}

}  // namespace vgsim::report
