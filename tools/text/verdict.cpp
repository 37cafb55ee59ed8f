#include "tools/text/verdict.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "models/scenario/answer/layout_time.hpp"
#include "tools/text/figures.hpp"
#include "tools/text/fitting.hpp"
#include "tools/text/words.hpp"
#include "topology/input/units/unit_strings.hpp"

namespace vgsim::text {
namespace {

using scenario::LayoutResult;
using scenario::RankedGroup;
using scenario::RankedLayout;
using scenario::ScenarioResult;

constexpr std::size_t kLongestName = 36;
constexpr std::size_t kMostSentences = 3;

/// Whether total times are comparable: all train the same number of samples.
bool train_as_much(const std::vector<Ranked>& ranked) {
  std::set<double> samples;
  for (const Ranked& each : ranked) samples.insert(each.measure.samples);
  return samples.size() == 1;
}

std::string measure_words(const Measure& measure, bool as_much) {
  const Known known = known_of(measure.interval, measure.seconds);
  const std::string time =
      time_figure(measure.seconds, known) +
      (measure.interval ? fmt::format(" ({})", time_range(*measure.interval, measure.seconds))
                        : "");
  if (measure.length.empty()) {
    if (measure.busbw_GBps == 0.0) {  // one rank sends nothing
      return fmt::format("{} in {}", measure.collective, time);
    }
    return fmt::format("{} in {}, {} of bus bandwidth", measure.collective, time,
                       figure(measure.busbw_GBps, scenario::MetricUnit::kGBps, known));
  }
  if (!as_much) return rate_figure(measure.samples_per_s, measure.rate_known) + " samples/s";
  return fmt::format("{} for {}", time, measure.length);
}

std::string name_with_gpus(const ScenarioResult& result, const RankedGroup& group,
                           std::size_t layout, const std::vector<std::string>& names) {
  const std::size_t own = result.layouts[layout].ranks;
  const bool alike = std::all_of(group.layouts.begin(), group.layouts.end(), [&](const auto& s) {
    return result.layouts[s.layout].ranks == own;
  });
  return text::name_with_gpus(names[layout], own, alike);
}

const char* number_word(std::size_t number) {
  constexpr const char* kWords[] = {"no",   "one", "two",   "three", "four",
                                    "five", "six", "seven", "eight", "nine"};
  return number < std::size(kWords) ? kWords[number] : nullptr;
}

std::string counted_layouts(std::size_t count) {
  const char* word = number_word(count);
  return fmt::format("{} layouts", word == nullptr ? std::to_string(count) : word);
}

/// Layouts that are slower for sure, with the interval of the difference.
std::string slower_words(const std::vector<Ranked>& ranked, std::size_t most) {
  std::string text;
  std::size_t slower = 0;
  for (const Ranked& each : ranked) {
    if (!each.gap.is_slower() || ++slower > most) continue;
    text += fmt::format("; {}{}, {}", slower == 1 ? "next " : "", each.name, gap_words(each.gap));
  }
  if (slower > most && most > 1) text += fmt::format("; {} more", slower - most);
  return text;
}

/// The differences that are open: "; undecided against B, -6 to +18 %".
std::string open_words(const std::vector<Ranked>& ranked) {
  std::vector<std::string> open;
  for (const Ranked& each : ranked) {
    if (each.gap.statement != scenario::Statement::kUndecided) continue;
    open.push_back(fmt::format("{}, {}", each.name, gap_range(each.gap)));
  }
  return open.empty() ? "" : "; undecided against " + names_listed(open);
}

/// Where another layout than the fastest costs least.
std::string cheapest_words(const ScenarioResult& result, const RankedGroup& group,
                           const std::vector<std::string>& names) {
  const LayoutResult* cheapest = nullptr;
  std::size_t at = 0;
  const auto cost_of = [](const LayoutResult& layout) {
    return layout.training->economy.cost->training;
  };
  for (const RankedLayout& each : group.layouts) {
    const LayoutResult& layout = result.layouts[each.layout];
    if (!layout.training || !layout.training->economy.cost) return {};
    if (cheapest == nullptr || cost_of(layout) < cost_of(*cheapest)) {
      cheapest = &layout;
      at = each.layout;
    }
  }
  const LayoutResult& fastest = result.layouts[group.fastest()];
  if (cost_of(fastest) <= cost_of(*cheapest) * (1.0 + scenario::kLeastDifference)) return {};
  return fmt::format("; {} costs least", names[at]);
}

/// If several jobs share the hosts: the layout with the highest throughput of a host.
std::string throughput_words(const ScenarioResult& result, const RankedGroup& group,
                             const std::vector<std::string>& names) {
  const auto of = [&](std::size_t layout) -> auto& { return result.layouts[layout].training; };
  std::size_t most = group.fastest();
  bool several = false;
  for (const RankedLayout& each : group.layouts) {
    if (!of(each.layout)) return {};
    several = several || of(each.layout)->copies > 1;
    if (of(each.layout)->host_samples_per_s > of(most)->host_samples_per_s) most = each.layout;
  }
  if (!several) return {};
  const auto figure = [&](std::size_t layout) {
    return rate_figure(of(layout)->host_samples_per_s, iteration_known(*of(layout)));
  };
  const std::string together =
      of(most)->copies > 1
          ? fmt::format(", {} together", plural(static_cast<std::size_t>(of(most)->copies), "job"))
          : std::string();
  if (most == group.fastest()) {
    return fmt::format("; also highest per host: {} samples/s{}", figure(most), together);
  }
  return fmt::format("; highest per host: {}, {} samples/s{}, against {}", names[most],
                     figure(most), together, figure(group.fastest()));
}

std::string group_sentence(const ScenarioResult& result, const RankedGroup& group,
                           const std::vector<std::string>& names) {
  std::vector<Ranked> ranked;
  for (const RankedLayout& each : group.layouts) {
    ranked.push_back({name_with_gpus(result, group, each.layout, names),
                      measure_of(result.layouts[each.layout]), each.gap});
  }
  const std::string more =
      cheapest_words(result, group, names) + throughput_words(result, group, names);
  return ranking_sentence(ranked) + more;
}

std::string nothing_ran(const ScenarioResult& result) {
  const std::size_t count = result.layouts.size();
  return count == 1
             ? std::string("refused: nothing was simulated")
             : fmt::format("all {} are refused: nothing was simulated", counted_layouts(count));
}

std::string length_or_once(std::int64_t epochs, std::int64_t iterations_per_epoch,
                           std::optional<std::int64_t> tokens) {
  return epochs == 1 && iterations_per_epoch == 1 ? std::string("an iteration")
                                                  : length_words(epochs, tokens);
}

std::optional<scenario::Interval> saved_interval(const nlohmann::ordered_json& layout,
                                                 const char* of) {
  const auto interval = layout.find("interval");
  if (interval == layout.end() || !interval->contains(of)) return std::nullopt;
  return scenario::Interval{interval->at(of).at("low"), interval->at(of).at("high"), 0};
}

}  // namespace

Measure measure_of(const LayoutResult& layout) {
  Measure measure;
  if (layout.training) {
    const auto& training = *layout.training;
    measure.seconds = training.training_s;
    measure.interval = training.training_interval;
    measure.length =
        length_or_once(training.epochs, training.iterations_per_epoch, training.all_tokens);
    measure.samples = training.samples;
    measure.samples_per_s = training.samples_per_s;
    measure.rate_known = iteration_known(training);
    return measure;
  }
  const auto& point = scenario::largest_point(*layout.collective);
  measure.seconds = to_seconds(point.time);
  measure.interval = scenario::Interval{to_seconds(point.low), to_seconds(point.high), 0};
  measure.collective =
      fmt::format("{} of {}", layout.collective->collective, size_words(point.size));
  measure.busbw_GBps = point.busbw_GBps;
  return measure;
}

std::optional<Measure> measure_of(const nlohmann::ordered_json& layout) {
  Measure measure;
  if (layout.contains("training_time_s")) {
    measure.seconds = layout.at("training_time_s");
    measure.interval = saved_interval(layout, "training_time_s");
    measure.samples_per_s = layout.at("samples_per_s");
    measure.samples = layout.value("samples", 0.0);
    measure.rate_known =
        known_of(saved_interval(layout, "iteration_time_s"), layout.at("iteration_time_s"));
    const auto tokens = layout.find("tokens");
    measure.length = length_or_once(
        layout.at("epochs"), layout.at("iterations_per_epoch"),
        tokens == layout.end() ? std::nullopt : std::optional(tokens->get<std::int64_t>()));
    return measure;
  }
  const auto points = layout.find("points");
  if (points == layout.end() || points->empty()) return std::nullopt;
  const auto& point =
      *std::max_element(points->begin(), points->end(),
                        [](const auto& a, const auto& b) { return a.at("bytes") < b.at("bytes"); });
  measure.seconds = point.at("time_s");
  measure.interval = scenario::Interval{point.at("time_low_s"), point.at("time_high_s"), 0};
  measure.collective = fmt::format("{} of {}", layout.at("collective").get<std::string>(),
                                   size_words(Bytes{point.at("bytes").get<std::int64_t>()}));
  measure.busbw_GBps = point.at("busbw_GBps");
  return measure;
}

std::string ranking_sentence(const std::vector<Ranked>& ranked, std::size_t most_slower) {
  const Ranked& fastest = ranked.front();
  const std::string measure = measure_words(fastest.measure, train_as_much(ranked));
  if (ranked.size() == 1) return fmt::format("{}: {}", fastest.name, measure);
  std::vector<std::string> first;
  bool undecided = false;
  for (const Ranked& each : ranked) {
    if (each.gap.is_slower()) continue;
    first.push_back(each.name);
    undecided = undecided || each.gap.statement == scenario::Statement::kUndecided;
  }
  if (!undecided && first.size() == ranked.size()) {
    return fmt::format("{}: {}; no significant difference between the {}", fastest.name, measure,
                       counted_layouts(ranked.size()));
  }
  const std::string slower = slower_words(ranked, most_slower);
  if (first.size() == 1) return fmt::format("{} is fastest: {}{}", fastest.name, measure, slower);
  if (undecided) {
    return fmt::format("{}: {}{}{}", fastest.name, measure, open_words(ranked), slower);
  }
  return fmt::format("{} are fastest, no significant difference between them: {}{}",
                     names_listed(first), measure, slower);
}

std::string size_words(Bytes size) {
  constexpr const char* kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  std::int64_t count = size.count();
  std::size_t unit = 0;
  while (unit + 1 < std::size(kUnits) && count >= 1024 && count % 1024 == 0) {
    count /= 1024;
    ++unit;
  }
  return count < 1024 ? fmt::format("{} {}", count, kUnits[unit]) : input::format_bytes(size);
}

std::string name_with_gpus(const std::string& name, std::size_t gpus, bool others_have_as_many) {
  return others_have_as_many ? name : fmt::format("{} ({})", name, plural(gpus, "GPU"));
}

std::vector<std::string> sentence_names(std::vector<std::string> names) {
  const bool quoted =
      names.size() > 1 && std::any_of(names.begin(), names.end(), [](const std::string& name) {
        return name.find(',') != std::string::npos;
      });
  names = short_names(names, kLongestName);
  for (std::string& name : names) {
    if (quoted) name = fmt::format("\"{}\"", name);
  }
  return names;
}

std::vector<std::string> sentence_names(const ScenarioResult& result) {
  std::vector<std::string> names;
  for (const LayoutResult& layout : result.layouts) names.push_back(layout.name);
  return sentence_names(std::move(names));
}

std::vector<std::string> verdict_sentences(const ScenarioResult& result,
                                           const std::vector<RankedGroup>& groups) {
  if (groups.empty()) return {nothing_ran(result)};
  const auto names = sentence_names(result);
  std::vector<std::string> sentences;
  for (const RankedGroup& group : groups) {
    if (sentences.size() == kMostSentences && groups.size() > kMostSentences) {
      sentences.push_back(
          fmt::format("and {} more networks, see the table", groups.size() - kMostSentences));
      break;
    }
    const bool several = groups.size() > 1 && result.layouts[group.fastest()].training;
    const std::string sentence = group_sentence(result, group, names);
    sentences.push_back(several ? group.work + ": " + sentence : sentence);
  }
  return sentences;
}

void add_open_points(const ScenarioResult& result, bool needed, ScreenLines& lines,
                     const std::vector<std::string>& said) {
  constexpr std::size_t kMostLines = 4;
  std::set<std::string> known;
  std::size_t left = kMostLines;
  for (const LayoutResult& layout : result.layouts) {
    for (const topology::OpenPoint& point : layout.open) {
      if (left == 0 || point.is_needed() != needed || !known.insert(point.text).second) continue;
      const auto begins = [&](const std::string& text) { return text.starts_with(point.text); };
      if (std::ranges::any_of(said, begins)) continue;
      left -= lines.labelled(needed ? "missing" : "open", point.text,
                             std::min<std::size_t>(left, 2), needed ? Tone::kBad : Tone::kPlain);
    }
  }
}

namespace {

using Picked = std::vector<const scenario::Warning*>;

/// The picked text of each layout, each text once: `"static, HA wanted" [no-ha]: t1: ...`.
/// Layouts are named unless all have it.
template <class Pick>
std::vector<std::string> warning_sentences(const ScenarioResult& result, const Pick& pick) {
  struct FoundWarning {
    const scenario::Warning* warning;
    std::vector<std::string> layouts;
  };
  const auto names = sentence_names(result);
  std::vector<FoundWarning> all;
  for (std::size_t l = 0; l < result.layouts.size(); ++l) {
    for (const scenario::Warning* warning : pick(result.layouts[l])) {
      const auto same = std::find_if(all.begin(), all.end(), [&](const FoundWarning& each) {
        return each.warning->rule == warning->rule && each.warning->text == warning->text;
      });
      FoundWarning& found = same == all.end() ? all.emplace_back(FoundWarning{warning, {}}) : *same;
      found.layouts.push_back(names[l]);
    }
  }
  std::vector<std::string> sentences;
  for (const FoundWarning& each : all) {
    const std::string prefix =
        each.layouts.size() == names.size() ? std::string() : names_listed(each.layouts) + " ";
    sentences.push_back(fmt::format("{}[{}]: {}", prefix, each.warning->rule, each.warning->text));
  }
  return sentences;
}

}  // namespace

std::vector<std::string> refusal_sentences(const ScenarioResult& result) {
  return warning_sentences(result, [](const LayoutResult& layout) {
    Picked picked;
    for (const auto& warning : layout.warnings) {
      if (!layout.refused || warning.verdict != vsphere::Verdict::kRefused) continue;
      if (picked.empty() || picked.front()->rule == warning.rule) picked.push_back(&warning);
    }
    return picked;
  });
}

std::vector<std::string> unpriced_sentences(const ScenarioResult& result) {
  return warning_sentences(result, [](const LayoutResult& layout) {
    Picked picked;
    for (const auto& warning : layout.warnings) {
      if (warning.not_priced) picked.push_back(&warning);
    }
    return picked;
  });
}

std::size_t add_sentences(const char* label, const std::vector<std::string>& sentences,
                          std::size_t most_lines, Tone tone, ScreenLines& lines) {
  constexpr std::size_t kLinesOfOne = 2;
  std::size_t left = most_lines;
  for (std::size_t i = 0; i < sentences.size() && left > 0; ++i) {
    const std::size_t others = sentences.size() - i - 1;
    if (left == 1 && others > 0) {
      const std::string text =
          i == 0 ? fmt::format("{} reasons, the first: {}", others + 1, sentences[i])
                 : fmt::format("and {} more reasons: --full", others + 1);
      left -= lines.labelled(label, text, 1, tone);
      break;
    }
    const std::size_t own = left - std::min(left - 1, others);
    left -= lines.labelled(label, sentences[i], std::min(own, kLinesOfOne), tone);
  }
  return most_lines - left;
}

}  // namespace vgsim::text
