// Assumptions by their effect: those simulated with another value, then uncertain numbers at the
// ends of their intervals, then missing facts.

#include <fmt/core.h>

#include <algorithm>
#include <cctype>

#include "tools/report/change_text.hpp"
#include "tools/report/facts.hpp"
#include "tools/report/sections/sections.hpp"
#include "tools/text/figures.hpp"
#include "tools/text/words.hpp"

namespace vgsim::report {
namespace {

constexpr std::size_t kMostOfAKind = 3;
constexpr double kDecides = 0.01;  ///< least share of the time that a number moves

std::string capital(std::string text) {
  if (!text.empty()) text.front() = static_cast<char>(std::toupper(text.front()));
  return text;
}

void add_missing(const Report& report, std::vector<std::string>& items) {
  std::vector<std::string> known;
  for (const scenario::LayoutResult& layout : report.result.layouts) {
    for (const topology::OpenPoint& point : layout.open) {
      const bool again = std::find(known.begin(), known.end(), point.text) != known.end();
      if (!point.is_needed() || again || known.size() == kMostOfAKind) continue;
      known.push_back(point.text);
      items.push_back("Missing: " + point.text);
    }
  }
}

void add_priced(const Report& report, std::vector<std::string>& items) {
  if (!report.best) return;
  const auto& all = report.best->assumptions;
  for (std::size_t i = 0; i < std::min(kMostOfAKind, all.size()); ++i) {
    items.push_back(capital(assumption_sentence(all[i])));
  }
}

void add_uncertain(const Report& report, std::vector<std::string>& items) {
  if (!report.studies.tornado) return;
  const scenario::Tornado& study = *report.studies.tornado;
  const std::size_t room = items.empty() ? kMostOfAKind : kMostOfAKind - 1;
  for (std::size_t i = 0; i < std::min(room, study.bars.size()); ++i) {
    const scenario::TornadoBar& bar = study.bars[i];
    if (bar.swing(study.base_s) < kDecides * study.base_s) break;
    const auto [fast, slow] = std::minmax({bar.low_s, bar.high_s, study.base_s});
    items.push_back(fmt::format(
        "{}: {} to {} instead of {}", capital(bar.meaning), text::time_figure(fast, std::nullopt),
        text::time_figure(slow, std::nullopt), text::time_figure(study.base_s, std::nullopt)));
  }
}

/// Assumptions of any layout, each once.
std::size_t count_of(const Report& report) {
  std::vector<std::string> all;
  for (const scenario::LayoutResult& layout : report.result.layouts) {
    all.insert(all.end(), layout.assumptions.begin(), layout.assumptions.end());
  }
  std::sort(all.begin(), all.end());
  return static_cast<std::size_t>(std::unique(all.begin(), all.end()) - all.begin());
}

}  // namespace

std::optional<Section> decisive_section(const Report& report) {
  std::vector<std::string> items;
  add_missing(report, items);
  add_priced(report, items);
  add_uncertain(report, items);
  const std::size_t all = count_of(report);
  if (items.empty() && all == 0) return std::nullopt;
  Section section{"decisive",
                  "Assumptions",
                  items.empty() ? "No assumption was found that changes the result by 1 %"
                                : "What changes the result most if it is otherwise",
                  {}};
  if (!items.empty()) section.blocks.emplace_back(List{std::move(items)});
  if (all > 0) {
    section.blocks.emplace_back(
        Paragraph{fmt::format("In the appendix: {} where the scenario is silent, all numbers with "
                              "their sources.",
                              text::plural(all, "assumption")),
                  true});
  }
  return section;
}

}  // namespace vgsim::report
