#include "tools/report/change_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tools/text/figures.hpp"
#include "tools/text/verdict.hpp"
#include "tools/text/words.hpp"

namespace vgsim::report {

using scenario::LayoutResult;
using scenario::TriedChange;

std::string gain_words(const TriedChange& tried, const LayoutResult& before) {
  const bool drawn = tried.gap.has_value();
  std::string text = fmt::format(
      "{} less time", drawn ? text::saved_figure(*tried.gap) : text::whole_percent(tried.gain()));
  const std::string range = drawn ? text::saved_words(*tried.gap) : std::string();
  if (!range.empty()) text += fmt::format(" ({})", range);
  if (!before.training || !tried.result.training) return text;
  if (before.training->samples != tried.result.training->samples) return text;
  return text + fmt::format(", {}", text::time_figure(tried.result.training->training_s,
                                                      text::training_known(*before.training)));
}

std::string change_sentence(const TriedChange& tried, const LayoutResult& before) {
  return fmt::format("{}: {}", tried.change.title, gain_words(tried, before));
}

std::string no_help_words(std::size_t tried) {
  return fmt::format("no gain of 0.5 % or more from {} tried", text::plural(tried, "change"));
}

std::string price_words(const TriedChange& assumption) {
  const double ratio = assumption.after_s / assumption.before_s;
  if (ratio >= 2.0) return fmt::format("{} x the time", text::rounded(ratio, 2));
  return ratio > 1.0 ? fmt::format("{} more time", text::whole_percent(ratio - 1.0))
                     : fmt::format("{} less time", text::whole_percent(1.0 - ratio));
}

std::string assumption_sentence(const TriedChange& assumption) {
  return fmt::format("{}: {}", assumption.change.title, price_words(assumption));
}

std::string unpriced_words(const std::vector<std::string>& assumptions,
                           const std::string& command) {
  return fmt::format("not priced in a job of this size: {}; {} prices {}",
                     fmt::join(assumptions, ", "), command, assumptions.size() > 1 ? "them" : "it");
}

std::string worth_measuring_words(const scenario::WorthMeasuring& each) {
  return fmt::format("{}: interval {} narrower; {}", each.measurement.what,
                     text::whole_percent(each.narrows), each.measurement.command);
}

std::vector<std::string> deciding_words(const scenario::UndecidedLayout& undecided,
                                        const scenario::ScenarioResult& result) {
  const auto names = text::sentence_names(result);
  const auto& [measurement, parameters, narrows] = undecided.measure.front();
  const std::string pair =
      fmt::format("{} or {}", names[undecided.fastest], names[undecided.layout]);
  return {fmt::format("{}: measure {}: interval of the difference {} narrower; {}", pair,
                      measurement.what, text::whole_percent(narrows), measurement.command),
          fmt::format("{}: measure {}; {}", pair, measurement.what, measurement.command),
          fmt::format("{}; {}", measurement.what, measurement.command)};
}

}  // namespace vgsim::report
