#include <fmt/core.h>

#include <algorithm>

#include "tools/report/charts/stacked_bars.hpp"
#include "tools/report/facts.hpp"
#include "tools/report/figures.hpp"
#include "tools/report/sections/sections.hpp"
#include "tools/text/figures.hpp"

namespace vgsim::report {
namespace {

using scenario::LayoutResult;
using scenario::MemoryUse;

constexpr double kGiB = 1024.0 * 1024 * 1024;
constexpr std::size_t kMemoryColours = 6;

double bytes_of(const MemoryUse& memory, const std::string& part) {
  const auto found = memory.parts.find(part);
  return found == memory.parts.end() ? 0 : found->second;
}

std::vector<std::string> parts_of(const std::vector<const LayoutResult*>& layouts) {
  std::vector<std::string> parts{"weights", "gradients", "optimizer states", "activations"};
  for (const LayoutResult* layout : layouts) {
    for (const auto& [part, bytes] : layout->memory->parts) {
      if (bytes <= 0 || std::find(parts.begin(), parts.end(), part) != parts.end()) continue;
      parts.push_back(part);
    }
  }
  std::erase_if(parts, [&](const std::string& part) {
    return std::all_of(layouts.begin(), layouts.end(), [&](const LayoutResult* layout) {
      return bytes_of(*layout->memory, part) <= 0;
    });
  });
  return parts;
}

StackedBar bar_of(const LayoutResult& layout, const std::vector<std::string>& parts) {
  const MemoryUse& memory = *layout.memory;
  StackedBar bar;
  bar.name = layout.name;
  bar.total = fmt::format("{} of {}", text::memory_figure(memory.needed),
                          text::memory_figure(memory.capacity));
  bar.limit = memory.capacity;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const double bytes = bytes_of(memory, parts[p]);
    bar.parts.push_back({fmt::format("part{}", p % kMemoryColours), bytes,
                         fmt::format("{:.1f}", bytes / kGiB),
                         fmt::format("{}: {}", parts[p], text::memory_figure(bytes))});
  }
  return bar;
}

Table memory_table(const std::vector<const LayoutResult*>& layouts,
                   const std::vector<std::string>& parts) {
  Table table;
  table.columns.push_back({"memory of the fullest GPU", false});
  const auto row = [&](const std::string& label, const auto& words) {
    auto& cells = table.rows.emplace_back();
    cells.push_back(label);
    for (const LayoutResult* layout : layouts) cells.push_back(words(*layout->memory));
  };
  for (const LayoutResult* layout : layouts) table.columns.push_back({layout->name, true});
  for (const std::string& part : parts) {
    row(part, [&](const MemoryUse& memory) { return text::memory_figure(bytes_of(memory, part)); });
  }
  row("needed", [](const MemoryUse& memory) { return text::memory_figure(memory.needed); });
  row("there is", [](const MemoryUse& memory) { return text::memory_figure(memory.capacity); });
  row("fits", [](const MemoryUse& memory) { return std::string(memory.fits() ? "yes" : "no"); });
  row("largest micro-batch", [](const MemoryUse& memory) {
    return memory.largest_micro_batch > 0 ? std::to_string(memory.largest_micro_batch)
                                          : std::string("-");
  });
  return table;
}

std::string memory_heading(const std::vector<const LayoutResult*>& layouts) {
  const auto too_full = std::find_if(layouts.begin(), layouts.end(), [](const LayoutResult* each) {
    return !each->memory->fits();
  });
  const LayoutResult& shown = too_full == layouts.end() ? *layouts.front() : **too_full;
  const MemoryUse& memory = *shown.memory;
  return fmt::format("{} {} {} of the {} of its fullest GPU", named(shown),
                     memory.fits() ? "fills" : "would need", text::memory_figure(memory.needed),
                     text::memory_figure(memory.capacity));
}

}  // namespace

std::optional<Section> memory_section(const Report& report) {
  std::vector<const LayoutResult*> layouts;
  for (const LayoutResult& layout : report.result.layouts) {
    if (layout.memory && layout.memory->needed > 0) layouts.push_back(&layout);
  }
  if (layouts.empty()) return std::nullopt;
  const auto parts = parts_of(layouts);
  StackedBars chart;
  for (const LayoutResult* layout : layouts) chart.bars.push_back(bar_of(*layout, parts));
  chart.unit = {"GiB", kGiB};
  chart.title = "Memory of the fullest GPU by content";
  chart.description = "A bar for each layout. The table has the numbers.";
  Figure figure = figure_of("memory-chart", chart, &stacked_bars, memory_table(layouts, parts));
  for (std::size_t p = 0; p < parts.size(); ++p) {
    figure.keys.push_back({fmt::format("part{}", p % kMemoryColours), parts[p]});
  }
  figure.caption = "The vertical line is the memory of the GPU or of its vGPU profile.";
  return Section{"memory", "Memory", memory_heading(layouts), {std::move(figure)}};
}

}  // namespace vgsim::report
