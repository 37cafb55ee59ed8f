#include <fmt/core.h>

#include "tools/report/facts.hpp"
#include "tools/report/sections/sections.hpp"
#include "tools/text/figures.hpp"
#include "tools/text/words.hpp"

namespace vgsim::report {
namespace {

using scenario::CollectivePoint;
using scenario::LayoutResult;

std::string microseconds(SimTime time) { return fmt::format("{:.2f}", to_seconds(time) * 1e6); }

std::string words(const std::optional<scenario::NcclChoice>& choice) {
  return choice ? choice->algorithm + " " + choice->protocol : "-";
}

/// The columns of nccl-tests, and further ones.
Table sizes_table(const scenario::CollectiveResult& collective) {
  Table table{{{"size (B)", true},
               {"time (us)", true},
               {"90 % interval", true},
               {"algbw (GB/s)", true},
               {"busbw (GB/s)", true},
               {"algorithm", false},
               {"channels", true},
               {"runner-up", false},
               {"bottleneck", false}},
              {}};
  for (const CollectivePoint& point : collective.points) {
    table.rows.push_back(
        {fmt::format("{}", point.size.count()), microseconds(point.time),
         fmt::format("{} to {}", microseconds(point.low), microseconds(point.high)),
         fmt::format("{:.2f}", point.algbw_GBps), fmt::format("{:.2f}", point.busbw_GBps),
         words(point.choice), point.choice ? fmt::format("{}", point.channels) : "-",
         words(point.runner_up), point.bottleneck.empty() ? "latency" : point.bottleneck});
  }
  return table;
}

/// The time saved at the largest size that NCCL runs in the NVSwitch; empty if there is none.
std::string saved_by_nvswitch(const scenario::CollectiveResult& collective) {
  for (auto it = collective.points.rbegin(); it != collective.points.rend(); ++it) {
    if (!it->operations) continue;
    const auto& done = *it->operations;
    return fmt::format(
        "With {} each GPU of a node sends and receives {} chunks of 1/{}, by a ring {}: {:.0f} % "
        "saved.",
        it->choice->algorithm, done.done, done.gpus, done.by_ring,
        100.0 * (1.0 - static_cast<double>(done.done) / static_cast<double>(done.by_ring)));
  }
  return {};
}

std::vector<Block> blocks_of(const LayoutResult& layout) {
  std::vector<Block> blocks{sizes_table(*layout.collective)};
  const std::string saved = saved_by_nvswitch(*layout.collective);
  if (!saved.empty()) blocks.emplace_back(Paragraph{saved, false});
  return blocks;
}

}  // namespace

std::optional<Section> sizes_section(const Report& report) {
  std::vector<const LayoutResult*> layouts;
  for (const LayoutResult* layout : simulated(report)) {
    if (layout->collective) layouts.push_back(layout);
  }
  if (layouts.empty()) return std::nullopt;
  const LayoutResult& first = *layouts.front();
  Section section{"sizes",
                  "Message sizes",
                  fmt::format("{} of {} at {} with {}", first.collective->collective,
                              text::plural(first.ranks, "GPU"), speed_words(first), named(first)),
                  {}};
  for (const LayoutResult* layout : layouts) {
    auto blocks = blocks_of(*layout);
    if (layouts.size() == 1) {
      section.blocks = std::move(blocks);
    } else {
      section.blocks.emplace_back(Details{layout->name, std::move(blocks), true});
    }
  }
  return section;
}

}  // namespace vgsim::report
