#include <fmt/core.h>

#include "tools/report/change_text.hpp"
#include "tools/report/facts.hpp"
#include "tools/report/sections/sections.hpp"
#include "tools/text/figures.hpp"
#include "tools/text/limits_text.hpp"

namespace vgsim::report {
namespace {

using scenario::TriedChange;

Table help_table(const std::vector<TriedChange>& helping, text::Known known) {
  Table table{{{"one at a time", false},
               {"time saved", true},
               {"90 % interval", true},
               {"iteration", true},
               {"bottleneck", false},
               {"requires", false}},
              {},
              Narrow::kStacks};
  for (const TriedChange& tried : helping) {
    const bool trains = tried.result.training.has_value();
    table.rows.push_back(
        {tried.change.title, text::whole_percent(tried.gain()),
         tried.gap ? text::saved_words(*tried.gap) : std::string("-"),
         trains ? text::time_figure(to_seconds(tried.result.training->iteration), known)
                : std::string("-"),
         text::limit_words(text::limit_of(tried.result)), listed(tried.change.needs)});
  }
  return table;
}

}  // namespace

/// None for a large job: looking for improvements takes many runs. `vgsim explain` does it.
std::optional<Section> help_section(const Report& report) {
  if (!report.best || !report.best->tried) return std::nullopt;
  const auto& helping = report.best->helping;
  if (helping.empty()) return std::nullopt;
  const scenario::LayoutResult& fastest = *fastest_of(report);
  const text::Known known =
      fastest.training ? text::iteration_known(*fastest.training) : std::nullopt;
  return Section{"help",
                 "Improvements",
                 fmt::format("Best change of {}: {}", named(fastest),
                             change_sentence(helping.front(), fastest)),
                 {help_table(helping, known),
                  Paragraph{fmt::format("The best of {} simulated changes that do not change the "
                                        "training.",
                                        *report.best->tried),
                            true}}};
}

}  // namespace vgsim::report
