#include "tools/text/limits_text.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "tools/text/figures.hpp"
#include "tools/text/table.hpp"
#include "tools/text/words.hpp"
#include "topology/input/units/unit_strings.hpp"

namespace vgsim::cli {
namespace {

using scenario::Bottleneck;
using scenario::LayoutResult;
using scenario::LinkUse;
using scenario::ScenarioResult;

constexpr std::size_t kShownLinks = 5;
constexpr const char* kGpus = "GPUs";

std::string ring_text(const LayoutResult& layout) {
  if (layout.channels == 0) return "a single GPU, no ring";
  std::string hops;
  for (const auto& [transport, count] : layout.hops_by_transport) {
    hops += fmt::format("{}{} over {}", hops.empty() ? "" : ", ", count, transport);
  }
  return fmt::format("{} of {} ({})", plural(layout.channels, "ring"), plural(layout.ranks, "hop"),
                     hops);
}

/// Of a job whose ranks are followed by pipeline stage: what takes time, the most first.
std::vector<std::pair<SimTime, std::string>> parts_of_stages(
    const scenario::TrainingResult& training) {
  std::vector<std::pair<SimTime, std::string>> parts{{training.compute, kGpus},
                                                     {training.pipeline_wait, "other stages"}};
  for (const auto& [axis, time] : training.communication) parts.emplace_back(time, axis);
  std::sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) {
    return std::tie(b.first, a.second) < std::tie(a.first, b.second);
  });
  return parts;
}

double share_of(SimTime part, const scenario::TrainingResult& training) {
  return training.iteration > SimTime{0} ? to_seconds(part) / to_seconds(training.iteration) : 0.0;
}

bool is_followed_by_stage(const LayoutResult& layout) {
  return layout.training && layout.links.empty() && layout.ranks > 1;
}

std::string largest_parts_text(const scenario::TrainingResult& training,
                               std::string (*share_text)(double)) {
  std::string text;
  for (const auto& [time, what] : parts_of_stages(training)) {
    if (time == SimTime{0}) continue;
    const bool is_axis = training.communication.contains(what);
    text += fmt::format("{}{}{} for {}", text.empty() ? "" : ", then ",
                        what == kGpus ? "the GPUs" : what, is_axis ? " communication" : "",
                        share_text(share_of(time, training)));
  }
  return text;
}

/// Which of the two, where communication is what takes the time: waiting for data on its way.
bool is_latency(const LayoutResult& layout) {
  const double exposed = share_of(layout.training->exposed_communication, *layout.training);
  return exposed > share_of(layout.training->compute, *layout.training) &&
         layout.bottleneck->share < exposed / 2;
}

/// Whether two layouts take the same time and use the same links alike.
bool is_same(const LayoutResult& a, const LayoutResult& b) {
  return a.fingerprint == b.fingerprint && a.links == b.links;
}

std::string links_text(const LayoutResult& layout) {
  Table table;
  for (std::size_t i = 0; i < std::min(kShownLinks, layout.links.size()); ++i) {
    const LinkUse& link = layout.links[i];
    const std::string alike =
        link.links > 1 ? fmt::format(" and {} like it", link.links - 1) : std::string();
    const std::string amount = link.core_seconds > 0
                                   ? fmt::format("{:.3g} core-s", link.core_seconds)
                                   : bytes_text(link.bytes);
    table.add_row(
        {"    " + link.resource + alike, link.kind, amount, percent(link.utilization) + " used"});
  }
  return table.text();
}

}  // namespace

std::string held_back_text(const LayoutResult& layout, std::string (*share_text)(double)) {
  if (is_followed_by_stage(layout)) return largest_parts_text(*layout.training, share_text);
  if (!layout.bottleneck) {
    return layout.links.empty() ? "no link carries anything"
                                : "no link: what GPUs move at a time, or latency, is the limit";
  }
  const Bottleneck& link = *layout.bottleneck;
  const bool hides =
      !layout.training || layout.training->exposed_communication * 20 < layout.training->iteration;
  const auto turns = [&](const std::string& links) {
    return fmt::format(
        "turns of other vGPUs: communication is exposed for {}, mostly until the last rank has had "
        "its turn; {}",
        share_text(share_of(layout.training->exposed_communication, *layout.training)), links);
  };
  if (link.share == 0.0 && !hides) {
    if (layout.training && layout.training->takes_turns) {
      return turns(fmt::format("the busiest link is {} ({}), {} used", link.resource, link.kind,
                               share_text(layout.links.front().utilization)));
    }
    return fmt::format(
        "no link: latency and what GPUs move at a time; the busiest is {} ({}), {} used",
        link.resource, link.kind, share_text(layout.links.front().utilization));
  }
  if (link.share == 0.0) {
    return fmt::format(
        "no link: communication hides behind compute; the busiest is {} ({}), {} "
        "used",
        link.resource, link.kind, share_text(layout.links.front().utilization));
  }
  const std::string held =
      fmt::format("{} ({}) for {} of the {}", link.resource, link.kind, share_text(link.share),
                  layout.training ? "iteration" : "largest collective");
  if (!layout.training || layout.training->iteration == SimTime{0}) return held;
  if (layout.training->data_wait > SimTime{0} && link.share >= 0.995) {
    return fmt::format("{} ({}), busy all the time: GPUs wait for data for {}", link.resource,
                       link.kind,
                       share_text(share_of(layout.training->data_wait, *layout.training)));
  }
  if (is_latency(layout) && layout.training->takes_turns) {
    return turns("of links and cores " + held);
  }
  if (is_latency(layout)) {
    return fmt::format(
        "latency: communication is exposed for {}, mostly while data is on its way "
        "from hop to hop; of links and cores {}",
        share_text(share_of(layout.training->exposed_communication, *layout.training)), held);
  }
  const double computing = share_of(layout.training->compute, *layout.training);
  if (computing <= link.share) return held;
  return fmt::format("the GPUs, which compute for {}; of links and cores {}", share_text(computing),
                     held);
}

Limit limit_of(const LayoutResult& layout) {
  if (is_followed_by_stage(layout)) {
    const auto [time, what] = parts_of_stages(*layout.training).front();
    return {what, share_of(time, *layout.training)};
  }
  const bool by_link = layout.bottleneck && layout.bottleneck->share > 0.0;
  const Limit link = by_link ? Limit{layout.bottleneck->kind, layout.bottleneck->share} : Limit{};
  if (!layout.training) return by_link ? link : Limit{"latency", 0.0};
  const Limit gpus{kGpus, share_of(layout.training->compute, *layout.training)};
  const Limit latency{layout.training->takes_turns ? "turns" : "latency",
                      share_of(layout.training->exposed_communication, *layout.training)};
  if (!by_link) return gpus.share >= latency.share ? gpus : latency;
  if (layout.training->data_wait > SimTime{0} && link.share >= 0.995) return link;
  if (is_latency(layout)) return latency;
  return gpus.share <= link.share ? link : gpus;
}

std::string limit_words(const Limit& limit) {
  return limit.share > 0.0 ? fmt::format("{} {}", limit.what, whole_percent(limit.share))
                           : limit.what;
}

std::string next_limit_text(const LayoutResult& layout) {
  if (!layout.training || !layout.training->next) return {};
  const scenario::NextLimit& next = *layout.training->next;
  const double gain = 1.0 - to_seconds(next.iteration) / to_seconds(layout.training->iteration);
  const std::string then =
      next.then               ? fmt::format("{} ({})", next.then->resource,
                              next.then->slot.empty() ? next.then->kind : next.then->slot)
      : next.computing >= 0.5 ? "the GPUs"
                              : "latency and what single connections carry";
  return fmt::format("without any {} limit: {} an iteration ({} less), then {}", next.without_kind,
                     input::format_time(next.iteration), percent(std::max(gain, 0.0)), then);
}

std::string limits_text(const ScenarioResult& result) {
  std::string text = "\nheld back by\n";
  const auto runs = [](const LayoutResult& layout) { return !layout.refused; };
  const auto found = std::find_if(result.layouts.begin(), result.layouts.end(), runs);
  if (found == result.layouts.end()) return "";
  const LayoutResult& first = *found;
  for (const LayoutResult& layout : result.layouts) {
    if (layout.refused) continue;
    if (&layout != &first && is_same(layout, first)) {
      text += fmt::format("  {}: the same as {}\n", layout.name, first.name);
      continue;
    }
    text += "  " + wrap(fmt::format("{}: {}", layout.name, held_back_text(layout)), 4) + "\n";
    text += "    " + wrap(ring_text(layout), 6) + "\n";
    const std::string next = next_limit_text(layout);
    if (!next.empty()) text += "    " + wrap(next, 6) + "\n";
    text += links_text(layout);
  }
  return text;
}

}  // namespace vgsim::cli
