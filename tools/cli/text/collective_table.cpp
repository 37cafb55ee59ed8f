#include "tools/cli/text/collective_table.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tools/text/table.hpp"

namespace vgsim::cli {
namespace {

using scenario::CollectivePoint;
using scenario::LayoutResult;
using scenario::NcclChoice;
using scenario::ScenarioResult;

std::string microseconds(SimTime time) { return fmt::format("{:.2f}", to_seconds(time) * 1e6); }

std::string words(const std::optional<NcclChoice>& choice) {
  return choice ? choice->algorithm + " " + choice->protocol : "-";
}

std::vector<std::string> cells(const CollectivePoint& point) {
  return {microseconds(point.time), fmt::format("{:.2f}", point.algbw_GBps),
          fmt::format("{:.2f}", point.busbw_GBps), words(point.choice),
          point.choice ? fmt::format("{}", point.channels) : "-"};
}

/// What there is room for beside a single layout.
std::vector<std::string> more_cells(const CollectivePoint& point) {
  return {fmt::format("{} to {}", microseconds(point.low), microseconds(point.high)),
          words(point.runner_up), point.bottleneck.empty() ? "latency" : point.bottleneck};
}

std::string collective_name(const ScenarioResult& result) {
  for (const LayoutResult& layout : result.layouts) {
    if (layout.collective) return layout.collective->collective;
  }
  return {};
}

/// The largest size that NCCL leaves to the NVSwitch, and what that saves.
std::string operations_text(const LayoutResult& layout) {
  if (!layout.collective) return {};
  for (auto it = layout.collective->points.rbegin(); it != layout.collective->points.rend(); ++it) {
    if (!it->operations) continue;
    const auto& done = *it->operations;
    return fmt::format(
        "{}: with {} each GPU of a node sends and receives {} chunks of 1/{}, by a ring {}: {:.0f} "
        "% "
        "saved\n",
        layout.name, it->choice->algorithm, done.done, done.gpus, done.by_ring,
        100.0 * (1.0 - static_cast<double>(done.done) / static_cast<double>(done.by_ring)));
  }
  return {};
}

void append_cells(std::vector<std::string>& row, const std::vector<std::string>& more) {
  row.insert(row.end(), more.begin(), more.end());
}

}  // namespace

std::string collectives_text(const ScenarioResult& result) {
  const bool is_single = result.layouts.size() == 1;
  Table table;
  std::vector<std::string> names{collective_name(result)};
  std::vector<std::string> columns{"size"};
  std::vector<std::string> units{"(B)"};
  std::size_t rows = 0;
  for (const LayoutResult& layout : result.layouts) {
    append_cells(names, {"", "", layout.name, "", ""});
    append_cells(columns, {"time", "algbw", "busbw", "algorithm", "channels"});
    append_cells(units, {"(us)", "(GB/s)", "(GB/s)", "", ""});
    rows = std::max(rows, layout.collective ? layout.collective->points.size() : 0);
  }
  if (is_single) {
    append_cells(columns, {"nine in ten", "runner-up", "held back by"});
    append_cells(units, {"(us)", "", ""});
  }
  table.add_row(std::move(names));
  table.add_row(std::move(columns));
  table.add_row(std::move(units));
  for (std::size_t i = 0; i < rows; ++i) {
    std::vector<std::string> row{""};
    for (const LayoutResult& layout : result.layouts) {
      if (!layout.collective || i >= layout.collective->points.size()) {
        append_cells(row, {"-", "-", "-", "-", "-"});
        continue;
      }
      const CollectivePoint& point = layout.collective->points[i];
      row.front() = fmt::format("{:>12}", point.size.count());
      append_cells(row, cells(point));
      if (is_single) append_cells(row, more_cells(point));
    }
    table.add_row(std::move(row));
  }
  std::string text = table.text();
  for (const LayoutResult& layout : result.layouts) {
    const std::string saved = operations_text(layout);
    if (!saved.empty()) text += "\n" + saved;
  }
  return text;
}

}  // namespace vgsim::cli
