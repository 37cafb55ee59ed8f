#include "tools/cli/text/explain_result.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "models/scenario/answer/layout_time.hpp"
#include "models/scenario/answer/manifest.hpp"
#include "tools/report/change_text.hpp"
#include "tools/text/figures.hpp"
#include "tools/text/limits_text.hpp"
#include "tools/text/table.hpp"
#include "tools/text/verdict.hpp"
#include "tools/text/words.hpp"
#include "topology/input/units/unit_strings.hpp"

namespace vgsim::cli {
namespace {

using scenario::helping_changes;
using scenario::PathStep;
using scenario::TriedChange;
using scenario::TriedOutcome;
using Json = nlohmann::ordered_json;

constexpr std::size_t kMostCauses = 8;

std::string cause_of(const PathStep& step) {
  if (step.resource.empty()) return step.kind == "gradients" ? "gradients: latency" : step.kind;
  return fmt::format("{}: {} ({})", step.kind, step.resource, step.resource_kind);
}

/// The path with neighbouring steps of a kind merged: "forward 30 ms > backward 66 ms > ...".
std::string path_text(const std::vector<PathStep>& path) {
  std::vector<std::pair<std::string, SimTime>> joined;
  for (const PathStep& step : path) {
    if (joined.empty() || joined.back().first != step.kind)
      joined.emplace_back(step.kind, SimTime{});
    joined.back().second += step.end - step.begin;
  }
  std::vector<std::string> words;
  for (const auto& [kind, time] : joined) {
    words.push_back(fmt::format("{} {}", kind, input::format_time(time)));
  }
  constexpr std::size_t kMost = 12;
  if (words.size() > kMost) {
    const std::size_t more = words.size() - kMost;
    words.resize(kMost);
    words.push_back(fmt::format("{} more", more));
  }
  return fmt::format("{}", fmt::join(words, " > "));
}

std::string record_text(const scenario::IterationRecord& record) {
  std::string text =
      "  " + text::wrap("critical path: " + path_text(record.critical_path), 4) + "\n";
  const auto causes = causes_of(record.critical_path);
  text::Table table;
  for (std::size_t i = 0; i < std::min(causes.size(), kMostCauses); ++i) {
    table.add_row({"    " + causes[i].what, input::format_time(causes[i].time),
                   text::percent(to_seconds(causes[i].time) / to_seconds(record.length))});
  }
  return text + table.text();
}

std::string time_words(const scenario::LayoutResult& result) {
  if (result.training) {
    const text::Known known = text::iteration_known(*result.training);
    return fmt::format("{} an iteration, {} samples/s",
                       text::time_figure(to_seconds(result.training->iteration), known),
                       text::rate_figure(result.training->samples_per_s, known));
  }
  const auto time = scenario::time_of(result);
  return time ? text::time_figure(*time,
                                  text::point_known(scenario::largest_point(*result.collective))) +
                    " for the largest size"
              : std::string("not simulated");
}

std::string warnings_words(const std::vector<scenario::Warning>& warnings) {
  std::vector<std::string> rules;
  for (const auto& warning : warnings) {
    if (std::find(rules.begin(), rules.end(), warning.rule) == rules.end()) {
      rules.push_back(warning.rule);
    }
  }
  return fmt::format("{}", fmt::join(rules, ", "));
}

std::string change_text(const TriedChange& tried, const std::string& currency) {
  std::string text = fmt::format("    {:>6} less  {}\n", text::whole_percent(tried.gain()),
                                 text::wrap(tried.change.title, 18));
  const auto line = [&](const std::string& words) {
    text += fmt::format("{:18}{}\n", "", text::wrap(words, 18));
  };
  if (tried.gap) line(fmt::format("90 % interval {}", text::saved_words(*tried.gap)));
  line(fmt::format("{}; then {}", time_words(tried.result),
                   text::limit_words(limit_of(tried.result))));
  if (!tried.change.needs.empty()) {
    line(fmt::format("needs {}", fmt::join(tried.change.needs, "; ")));
  }
  if (tried.price) line(fmt::format("costs {:.0f} {}", *tried.price, currency));
  if (!tried.new_warnings.empty()) line("adds warnings: " + warnings_words(tried.new_warnings));
  return text;
}

/// The changes that help, best first: those that also change the training, or the others.
std::string changes_text(const std::vector<TriedChange>& all, bool changes_training,
                         std::size_t most, const std::string& currency) {
  const auto helping = helping_changes(all, changes_training);
  std::string text;
  for (std::size_t i = 0; i < std::min(most, helping.size()); ++i) {
    text += change_text(*helping[i], currency);
  }
  if (helping.size() > most)
    text += fmt::format("    {} more with smaller gains\n", helping.size() - most);
  return text;
}

std::string rest_text(const std::vector<TriedChange>& all) {
  std::string text;
  std::size_t useless = 0;
  std::size_t impossible = 0;
  for (const TriedChange& tried : all) {
    if (tried.outcome == TriedOutcome::kRan && !tried.helps()) ++useless;
    if (tried.outcome == TriedOutcome::kImpossible) ++impossible;
    if (tried.outcome != TriedOutcome::kRefused) continue;
    std::vector<scenario::Warning> refusing;
    for (const auto& warning : tried.result.warnings) {
      if (warning.verdict == vsphere::Verdict::kRefused) refusing.push_back(warning);
    }
    text += "    " +
            text::wrap(
                fmt::format("refused: {} ({})", tried.change.title, warnings_words(refusing)), 6) +
            "\n";
  }
  return text + fmt::format("    {} tried; {} gain less than 0.5 %, {} do not apply\n",
                            text::plural(all.size(), "change"), useless, impossible);
}

/// Kernels of an iteration's computing, and how close they are to the roofline of the
/// datasheet.
std::string kernels_text(const ExplainedLayout& layout) {
  if (layout.kernels.empty() || !layout.result.training) return "";
  const double computing = to_seconds(layout.result.training->compute);
  text::Table table;
  table.add_row({"  kernels of a rank", "in an iteration", "time", "of computing", "of the roof"});
  double sum = 0;
  for (const training::KernelUse& use : layout.kernels) {
    sum += use.seconds;
    table.add_row({"    " + use.what, fmt::format("{:.0f}", use.kernels),
                   text::duration_text(use.seconds), text::percent(use.seconds / computing),
                   text::percent(use.roof_seconds / use.seconds)});
  }
  std::string text = table.text();
  if (sum < computing) {
    text += "  " +
            text::wrap(fmt::format("the other {} of computing: norms, activations, gaps between "
                                   "kernels, and what the framework loses",
                                   text::percent(1 - sum / computing)),
                       4) +
            "\n";
  }
  return text;
}

std::string layout_text(const ExplainedLayout& layout, const std::string& currency,
                        std::size_t most) {
  const scenario::LayoutResult& result = layout.result;
  if (result.refused) {
    std::string text = fmt::format("{}: refused\n", result.name);
    for (const auto& warning : result.warnings) {
      if (warning.verdict != vsphere::Verdict::kRefused) continue;
      text +=
          "  " +
          text::wrap(fmt::format("{} [{}]; {}", warning.text, warning.rule, warning.remedy), 4) +
          "\n";
    }
    return text;
  }
  std::string text = fmt::format("{}: {}\n", result.name, time_words(result));
  text += "  " + text::wrap("bottleneck: " + text::bottleneck_text(result), 4) + "\n";
  if (result.record) text += record_text(*result.record);
  const std::string next = text::next_limit_text(result);
  if (!next.empty()) text += "  " + text::wrap(next, 4) + "\n";
  text += kernels_text(layout);
  if (!layout.numa.empty()) text += "  cost of the VMs' NUMA nodes, each cause taken away alone\n";
  for (const scenario::NumaCost& cost : layout.numa) {
    text += fmt::format("    {}: {}\n", cost.cause, text::whole_percent(cost.share));
  }
  const std::string plain = changes_text(layout.tried, false, most, currency);
  text += plain.empty() ? "  no tried change helps\n"
                        : "  improvements, each simulated alone\n" + plain;
  if (!layout.assumptions.empty()) text += "  assumptions that matter, one at a time\n";
  for (const auto& each : layout.assumptions) {
    text += "    " + text::wrap(report::assumption_sentence(each), 6) + "\n";
  }
  if (layout.tornado && !layout.tornado->measure.empty()) {
    text += "  measure next, to narrow the interval\n";
    for (const auto& each : layout.tornado->measure)
      text += "    " + text::wrap(report::worth_measuring_words(each), 6) + "\n";
  }
  const std::string training = changes_text(layout.tried, true, most, currency);
  if (!training.empty()) text += "  improvements that also change the training\n" + training;
  return text + rest_text(layout.tried);
}

Json kernel_json(const training::KernelUse& use) {
  return {{"what", use.what},
          {"kernels", use.kernels},
          {"time_s", use.seconds},
          {"roof_s", use.roof_seconds}};
}

Json measurements_json(const std::vector<scenario::WorthMeasuring>& all) {
  Json out = Json::array();
  for (const auto& each : all) {
    out.push_back({{"what", each.measurement.what},
                   {"command", each.measurement.command},
                   {"parameters", each.parameters},
                   {"narrows", each.narrows}});
  }
  return out;
}

const char* words(TriedOutcome outcome) {
  switch (outcome) {
    case TriedOutcome::kRan:
      return "simulated";
    case TriedOutcome::kRefused:
      return "refused";
    case TriedOutcome::kImpossible:
      return "impossible";
  }
  return "";
}

/// From the layout with the change to that without it.
Json gap_json(const scenario::Gap& gap) {
  return {{"more", gap.more},   {"low", gap.low},     {"high", gap.high},
          {"draws", gap.draws}, {"agree", gap.agree}, {"statement", to_string(gap.statement)}};
}

Json change_json(const TriedChange& tried) {
  Json out{{"id", tried.change.id},           {"title", tried.change.title},
           {"outcome", words(tried.outcome)}, {"changes_training", tried.change.changes_training},
           {"set", Json::object()},           {"needs", tried.change.needs}};
  for (const auto& each : tried.change.overrides) {
    out["set"][each.pointer] = scenario::to_ordered_json(each.value);
  }
  if (tried.outcome == TriedOutcome::kRan) {
    out["time_before_s"] = tried.before_s;
    out["time_after_s"] = tried.after_s;
    out["gain"] = tried.gain();
    if (tried.gap) out["difference"] = gap_json(*tried.gap);
    out["next_bottleneck"] = text::bottleneck_text(tried.result);
  }
  for (const auto& warning : tried.new_warnings) out["brings"].push_back(warning.rule);
  if (!tried.problems.empty()) out["problems"] = tried.problems;
  if (!tried.change.parts.empty()) out["parts"] = tried.change.parts;
  if (tried.price) out["price"] = *tried.price;
  return out;
}

}  // namespace

std::vector<Cause> causes_of(const std::vector<PathStep>& path) {
  std::vector<Cause> causes;
  for (const PathStep& step : path) {
    const std::string what = cause_of(step);
    const auto same = std::find_if(causes.begin(), causes.end(),
                                   [&](const Cause& cause) { return cause.what == what; });
    if (same == causes.end()) {
      causes.push_back({what, step.end - step.begin});
    } else {
      same->time += step.end - step.begin;
    }
  }
  std::stable_sort(causes.begin(), causes.end(),
                   [](const Cause& a, const Cause& b) { return a.time > b.time; });
  return causes;
}

std::string explanation_text(const std::string& scenario,
                             const std::vector<ExplainedLayout>& layouts,
                             const std::string& currency, std::size_t most) {
  std::string text = scenario + "\n";
  for (const ExplainedLayout& layout : layouts) {
    text += "\n" + layout_text(layout, currency, most);
  }
  return text;
}

std::string explanation_json(const std::string& scenario,
                             const std::vector<ExplainedLayout>& layouts) {
  Json out{{"schema", "vgsim.explanation/2"}, {"scenario", scenario}, {"layouts", Json::object()}};
  for (const ExplainedLayout& layout : layouts) {
    Json& own = out["layouts"][layout.result.name];
    own = {{"refused", layout.result.refused}};
    if (!layout.result.refused) {
      own["bottleneck_text"] = text::bottleneck_text(layout.result);
      own["bottleneck"] = scenario::to_json(limit_of(layout.result), layout.result);
    }
    if (layout.result.record) {
      own["iteration_s"] = to_seconds(layout.result.record->length);
      for (const PathStep& step : layout.result.record->critical_path) {
        Json& part = own["critical_path"].emplace_back();
        part = {{"begin_s", to_seconds(step.begin)},
                {"end_s", to_seconds(step.end)},
                {"kind", step.kind},
                {"what", step.what}};
        if (!step.resource.empty()) {
          part["resource"] = step.resource;
          part["resource_kind"] = step.resource_kind;
        }
      }
    }
    for (const auto& use : layout.kernels) own["kernels"].push_back(kernel_json(use));
    if (layout.tornado && !layout.tornado->measure.empty()) {
      own["measure"] = measurements_json(layout.tornado->measure);
    }
    if (layout.undecided) {
      own["undecided"] = {{"against", layouts[layout.undecided->fastest].result.name},
                          {"measure", measurements_json(layout.undecided->measure)}};
    }
    for (const TriedChange& each : layout.assumptions) {
      own["assumed"].push_back({{"text", each.change.title},
                                {"time_s", each.before_s},
                                {"alternative_time_s", each.after_s}});
    }
    for (const scenario::NumaCost& cost : layout.numa) {
      own["numa_costs"].push_back({{"cause", cost.cause}, {"share", cost.share}});
    }
    own["changes"] = Json::array();
    for (const TriedChange& tried : layout.tried) own["changes"].push_back(change_json(tried));
  }
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace vgsim::cli
