#include "tools/cli/screen/layout_rows.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "tools/text/figures.hpp"
#include "tools/text/fitting.hpp"
#include "tools/text/limits_text.hpp"
#include "tools/text/verdict.hpp"
#include "tools/text/words.hpp"

namespace vgsim::cli {
namespace {

using scenario::LayoutResult;
using scenario::MetricUnit;
using scenario::RankedGroup;
using scenario::ScenarioResult;

const char* const kNone = "-";

/// Times matter for small messages, bandwidths for large ones.
constexpr Bytes kLargeFrom{1 << 20};

std::string point_cell(const scenario::CollectivePoint& point) {
  const text::Known known = text::point_known(point);
  const bool alone = point.busbw_GBps == 0.0;  // one rank sends nothing
  if (point.size < kLargeFrom || alone) return text::time_figure(to_seconds(point.time), known);
  return text::figure(point.busbw_GBps, MetricUnit::kGBps, known);
}

std::vector<Bytes> all_sizes(const ScenarioResult& result) {
  std::set<Bytes> sizes;
  for (const LayoutResult& layout : result.layouts) {
    if (!layout.collective) continue;
    for (const auto& point : layout.collective->points) sizes.insert(point.size);
  }
  return {sizes.begin(), sizes.end()};
}

std::string cell_of_size(const LayoutResult& layout, Bytes size) {
  if (!layout.collective) return layout.refused ? "refused" : kNone;
  const auto& points = layout.collective->points;
  const auto found = std::find_if(points.begin(), points.end(),
                                  [&](const auto& point) { return point.size == size; });
  return found == points.end() ? kNone : point_cell(*found);
}

text::LayoutRow row_of_size(const ScenarioResult& result, Bytes size, int rank) {
  text::LayoutRow row{text::size_words(size), text::size_words(size), rank, {}};
  for (const LayoutResult& layout : result.layouts) row.cells.push_back(cell_of_size(layout, size));
  return row;
}

}  // namespace

std::vector<text::LayoutRow> size_rows(const ScenarioResult& result) {
  std::vector<text::LayoutRow> rows;
  for (const Bytes size : all_sizes(result)) rows.push_back(row_of_size(result, size, 0));
  return rows;
}

std::vector<text::LayoutRow> collective_rows(const ScenarioResult& result,
                                             const std::vector<RankedGroup>& groups) {
  const auto sizes = all_sizes(result);
  std::vector<text::LayoutRow> rows;
  if (sizes.size() > 1) rows.push_back(row_of_size(result, sizes.front(), 2));
  if (sizes.size() > 2) rows.push_back(row_of_size(result, sizes[sizes.size() / 2], 3));
  if (!sizes.empty()) rows.push_back(row_of_size(result, sizes.back(), 0));
  if (result.layouts.size() > 1) {
    for (text::LayoutRow& row : text::gap_rows(result, groups)) rows.push_back(std::move(row));
  }
  for (text::LayoutRow& row : text::figure_rows(result, {}, text::RowsFor::kScreen))
    rows.push_back(std::move(row));
  rows.push_back(text::limit_row(result));
  return rows;
}

}  // namespace vgsim::cli
