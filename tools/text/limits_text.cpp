#include "tools/text/limits_text.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>

#include "models/collectives/transport.hpp"
#include "tools/text/figures.hpp"
#include "tools/text/words.hpp"
#include "topology/input/units/unit_strings.hpp"

namespace vgsim::text {
namespace {

using scenario::Bottleneck;
using scenario::LayoutResult;
using scenario::share_of;

std::string largest_parts_text(const scenario::TrainingResult& training) {
  std::string text;
  for (const auto& [time, what] : scenario::parts_of_stages(training)) {
    if (time == SimTime{0}) continue;
    const bool is_axis = training.communication.contains(what);
    text += fmt::format("{}{}{} for {}", text.empty() ? "" : ", then ",
                        what == "GPUs" ? "the GPUs" : what, is_axis ? " communication" : "",
                        whole_percent(share_of(time, training)));
  }
  return text;
}

/// The most limiting link or core with its share; or the busiest one if none limits.
std::string link_text(const LayoutResult& layout) {
  if (!layout.bottleneck) {
    return layout.links.empty() ? "no link carries anything" : "no link is busy for long";
  }
  const Bottleneck& link = *layout.bottleneck;
  if (link.share == 0.0) {
    return fmt::format("the busiest link is {} ({}), {} used", link.resource, link.kind,
                       whole_percent(layout.links.front().utilization));
  }
  return fmt::format("of links and cores {} ({}) for {} of the {}", link.resource, link.kind,
                     whole_percent(link.share),
                     layout.training ? "iteration" : "largest collective");
}

/// What communication waits for if no link is busy.
std::string_view waiting_text(const LayoutResult& layout) {
  const auto* staged = collectives::to_string(collectives::Transport::kStagedNetwork);
  return layout.hops_by_transport.contains(staged)
             ? "GPUs read what arrives from host memory (no GPUDirect RDMA)"
             : "data is on its way from hop to hop";
}

std::string text_of_limit(const LayoutResult& layout) {
  using Kind = Limit::Kind;
  const Limit limit = limit_of(layout);
  const auto exposed = [&] {
    return whole_percent(share_of(layout.training->exposed_communication, *layout.training));
  };
  switch (limit.kind) {
    case Kind::kStages:
      return largest_parts_text(*layout.training);
    case Kind::kGpus:
      return fmt::format("the GPUs, which compute for {}; {}", whole_percent(limit.share),
                         link_text(layout));
    case Kind::kTimeSlices:
      return fmt::format(
          "waiting for other vGPUs' time slices: communication is exposed for {}, mostly until the "
          "last rank has had its slice; {}",
          exposed(), link_text(layout));
    case Kind::kLatency:
      if (!layout.training) {
        return fmt::format("latency, or what GPUs move at a time; {}", link_text(layout));
      }
      return fmt::format("latency: communication is exposed for {}, mostly while {}; {}", exposed(),
                         waiting_text(layout), link_text(layout));
    case Kind::kLink:
      break;
  }
  const Bottleneck& link = *layout.bottleneck;
  if (layout.training && layout.training->data_wait > SimTime{0} && link.share >= 0.995) {
    return fmt::format("{} ({}), busy all the time: GPUs wait for data for {}", link.resource,
                       link.kind,
                       whole_percent(share_of(layout.training->data_wait, *layout.training)));
  }
  return fmt::format("{} ({}) for {} of the {}", link.resource, link.kind,
                     whole_percent(link.share),
                     layout.training ? "iteration" : "largest collective");
}

}  // namespace

std::string bottleneck_text(const LayoutResult& layout) {
  const scenario::Agreement& same = layout.same_limit;
  constexpr double kSure = 0.95;
  const bool is_sure = static_cast<double>(same.agree) >= kSure * static_cast<double>(same.draws);
  return text_of_limit(layout) +
         (is_sure ? "" : fmt::format("; the same in {} of {} draws", same.agree, same.draws));
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
                     time_figure(to_seconds(next.iteration), iteration_known(*layout.training)),
                     whole_percent(std::max(gain, 0.0)), then);
}

}  // namespace vgsim::text
