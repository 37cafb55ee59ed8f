#include "tools/cli/screen/verdict.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "tools/text/figures.hpp"
#include "tools/text/fitting.hpp"
#include "tools/text/words.hpp"
#include "topology/input/units/unit_strings.hpp"

namespace vgsim::cli {
namespace {

using scenario::LayoutResult;
using scenario::ScenarioResult;
using scenario::Standing;
using scenario::StandingGroup;

constexpr std::size_t kLongestName = 36;
constexpr std::size_t kMostSentences = 3;

/// Whether what they take for everything can be compared: all of them train as many samples.
bool train_as_much(const ScenarioResult& result, const StandingGroup& group) {
  std::set<double> samples;
  for (const Standing& each : group.standings) {
    const auto& training = result.layouts[each.layout].training;
    if (training) samples.insert(training->samples);
  }
  return samples.size() == 1;
}

std::string training_words(const scenario::TrainingResult& training, bool as_much) {
  if (!as_much) {
    const Known known = known_of(training.iteration_interval, to_seconds(training.iteration));
    const int digits = supported_digits(training.samples_per_s, known);
    return rounded(training.samples_per_s, digits) + " samples/s";
  }
  const bool once = training.iterations() == 1;
  const auto& interval = training.training_interval;
  return fmt::format(
      "{}{} for {}", time_figure(training.training_s, known_of(interval, training.training_s)),
      interval ? fmt::format(" ({})", time_range(*interval, training.training_s)) : "",
      once ? "an iteration" : length_words(training));
}

std::string collective_words(const scenario::CollectiveResult& collective) {
  const auto& point = largest_point(collective);
  const double seconds = to_seconds(point.time);
  const scenario::Interval interval{to_seconds(point.low), to_seconds(point.high), 0};
  const Known known = known_of(interval, seconds);
  const std::string text =
      fmt::format("{} of {} in {} ({})", collective.collective, size_words(point.size),
                  time_figure(seconds, known), time_range(interval, seconds));
  if (point.busbw_GBps == 0.0) return text;  // one rank sends nothing
  return fmt::format("{}, {} GB/s of bus bandwidth", text,
                     rounded(point.busbw_GBps, supported_digits(point.busbw_GBps, known)));
}

std::string measure_words(const LayoutResult& layout, bool as_much) {
  return layout.training ? training_words(*layout.training, as_much)
                         : collective_words(*layout.collective);
}

/// A layout that has other GPUs than the rest is not just better or worse.
std::string name_with_gpus(const ScenarioResult& result, const StandingGroup& group,
                           std::size_t layout, const std::vector<std::string>& names) {
  const bool differ =
      std::any_of(group.standings.begin(), group.standings.end(), [&](const auto& s) {
        return result.layouts[s.layout].ranks != result.layouts[layout].ranks;
      });
  if (!differ) return names[layout];
  return fmt::format("{} ({})", names[layout], plural(result.layouts[layout].ranks, "GPU"));
}

const char* number_word(std::size_t number) {
  constexpr const char* kWords[] = {"no",   "one", "two",   "three", "four",
                                    "five", "six", "seven", "eight", "nine"};
  return number < std::size(kWords) ? kWords[number] : nullptr;
}

std::string all_layouts(std::size_t count) {
  if (count == 2) return "both layouts";
  const char* word = number_word(count);
  return fmt::format("all {} layouts", word == nullptr ? std::to_string(count) : word);
}

/// The next slower one that really is slower, and how sure that is.
std::string next_words(const ScenarioResult& result, const StandingGroup& group,
                       const std::vector<std::string>& names) {
  const auto next = std::find_if(group.standings.begin(), group.standings.end(),
                                 [](const Standing& each) { return !each.gap.same; });
  if (next == group.standings.end()) return {};
  const std::string certainty =
      next->gap.draws == 0 ? "without draws, so how surely is not known"
      : next->gap.agree == next->gap.draws
          ? fmt::format("in all {} draws", next->gap.draws)
          : fmt::format("in {} of {} draws", next->gap.agree, next->gap.draws);
  return fmt::format("; next {}, {}, {}", name_with_gpus(result, group, next->layout, names),
                     gap_figure(next->gap), certainty);
}

/// Where another layout than the fastest costs least.
std::string cheapest_words(const ScenarioResult& result, const StandingGroup& group,
                           const std::vector<std::string>& names) {
  const LayoutResult* cheapest = nullptr;
  std::size_t at = 0;
  const auto cost_of = [](const LayoutResult& layout) {
    return layout.training->economy.cost->training;
  };
  for (const Standing& each : group.standings) {
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

/// Where several jobs share the hosts: which layout trains most on a host, whoever is fastest.
std::string throughput_words(const ScenarioResult& result, const StandingGroup& group,
                             const std::vector<std::string>& names) {
  const auto of = [&](std::size_t layout) -> auto& { return result.layouts[layout].training; };
  std::size_t most = group.fastest();
  bool several = false;
  for (const Standing& each : group.standings) {
    if (!of(each.layout)) return {};
    several = several || of(each.layout)->copies > 1;
    if (of(each.layout)->host_samples_per_s > of(most)->host_samples_per_s) most = each.layout;
  }
  if (!several) return {};
  const auto figure = [&](std::size_t layout) {
    const auto& training = *of(layout);
    const Known known = known_of(training.iteration_interval, to_seconds(training.iteration));
    return rounded(training.host_samples_per_s,
                   supported_digits(training.host_samples_per_s, known));
  };
  const std::string together =
      of(most)->copies > 1
          ? fmt::format(", {} together", plural(static_cast<std::size_t>(of(most)->copies), "job"))
          : std::string();
  if (most == group.fastest()) {
    return fmt::format("; it trains most on a host, too: {} samples/s{}", figure(most), together);
  }
  return fmt::format("; {} trains most on a host: {} samples/s{}, against {}", names[most],
                     figure(most), together, figure(group.fastest()));
}

std::string group_sentence(const ScenarioResult& result, const StandingGroup& group,
                           const std::vector<std::string>& names) {
  const bool as_much = train_as_much(result, group);
  const std::size_t fastest = group.fastest();
  const std::string measure = measure_words(result.layouts[fastest], as_much);
  const std::size_t all = group.standings.size();
  const std::size_t shared = group.shared();
  const std::string cheapest =
      cheapest_words(result, group, names) + throughput_words(result, group, names);
  const std::string name = name_with_gpus(result, group, fastest, names);
  if (all == 1) return fmt::format("{}: {}", name, measure);
  if (shared == all) {
    return fmt::format("{}: {}; {} are the same within what is known{}", name, measure,
                       all_layouts(all), cheapest);
  }
  const std::string next = next_words(result, group, names) + cheapest;
  if (shared == 1) return fmt::format("{} is fastest: {}{}", name, measure, next);
  std::vector<std::string> first;
  for (const Standing& each : group.standings) {
    if (each.gap.same) first.push_back(name_with_gpus(result, group, each.layout, names));
  }
  return fmt::format("{} are fastest, the same within what is known: {}{}", names_listed(first),
                     measure, next);
}

std::string nothing_ran(const ScenarioResult& result) {
  const std::size_t count = result.layouts.size();
  return count == 1 ? std::string("refused: nothing was simulated")
                    : fmt::format("{} are refused: nothing was simulated", all_layouts(count));
}

}  // namespace

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

const scenario::CollectivePoint& largest_point(const scenario::CollectiveResult& collective) {
  return *std::max_element(collective.points.begin(), collective.points.end(),
                           [](const auto& a, const auto& b) { return a.size < b.size; });
}

std::vector<std::string> sentence_names(const ScenarioResult& result) {
  std::vector<std::string> names;
  for (const LayoutResult& layout : result.layouts) names.push_back(layout.name);
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

std::vector<std::string> verdict_sentences(const ScenarioResult& result,
                                           const std::vector<StandingGroup>& groups) {
  if (groups.empty()) return {nothing_ran(result)};
  const auto names = sentence_names(result);
  std::vector<std::string> sentences;
  for (const StandingGroup& group : groups) {
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
      left -= lines.labelled(needed ? "needs to know" : "open", point.text,
                             std::min<std::size_t>(left, 2), needed ? Tone::kBad : Tone::kPlain);
    }
  }
}

std::vector<std::string> refusal_sentences(const ScenarioResult& result) {
  struct Refusal {
    const scenario::Warning* warning;
    std::vector<std::string> layouts;
  };
  const auto names = sentence_names(result);
  std::vector<Refusal> refusals;
  for (std::size_t l = 0; l < result.layouts.size(); ++l) {
    const LayoutResult& layout = result.layouts[l];
    const auto first =
        std::find_if(layout.warnings.begin(), layout.warnings.end(),
                     [](const auto& each) { return each.verdict == vsphere::Verdict::kRefused; });
    if (!layout.refused || first == layout.warnings.end()) continue;
    const auto same = std::find_if(refusals.begin(), refusals.end(), [&](const Refusal& each) {
      return each.warning->rule == first->rule;
    });
    auto& refusal = same == refusals.end() ? refusals.emplace_back(Refusal{&*first, {}}) : *same;
    refusal.layouts.push_back(names[l]);
  }
  std::vector<std::string> sentences;
  for (const Refusal& each : refusals) {
    const std::string who =
        result.layouts.size() == 1 ? std::string() : names_listed(each.layouts) + " ";
    sentences.push_back(fmt::format("{}[{}]: {}", who, each.warning->rule, each.warning->text));
  }
  return sentences;
}

}  // namespace vgsim::cli
