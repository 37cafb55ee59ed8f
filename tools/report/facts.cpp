#include "tools/report/facts.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "models/scenario/answer/layout_time.hpp"
#include "models/scenario/answer/metrics.hpp"
#include "models/scenario/answer/ranked_layouts.hpp"
#include "tools/report/scale.hpp"
#include "tools/text/figures.hpp"
#include "tools/text/verdict.hpp"

namespace vgsim::report {
using scenario::LayoutResult;

std::vector<const LayoutResult*> simulated(const Report& report) {
  std::vector<const LayoutResult*> layouts;
  for (const LayoutResult& layout : report.result.layouts) {
    if (!layout.refused && scenario::time_of(layout)) layouts.push_back(&layout);
  }
  return layouts;
}

std::vector<const LayoutResult*> by_speed(const Report& report) {
  auto layouts = simulated(report);
  std::stable_sort(layouts.begin(), layouts.end(), [](const auto* a, const auto* b) {
    return *scenario::compared_time(*a) < *scenario::compared_time(*b);
  });
  return layouts;
}

const LayoutResult* fastest_of(const Report& report) {
  const auto groups = scenario::ranked_groups(report.result);
  return groups.empty() ? nullptr : &report.result.layouts[groups.front().fastest()];
}

std::string speed_words(const LayoutResult& layout) {
  if (layout.training) {
    return fmt::format("{} an iteration",
                       text::time_figure(to_seconds(layout.training->iteration),
                                         text::iteration_known(*layout.training)));
  }
  const auto& point = scenario::largest_point(*layout.collective);
  return fmt::format(
      "{} at {}",
      text::figure(point.busbw_GBps, scenario::MetricUnit::kGBps, text::point_known(point)),
      size_label(static_cast<double>(point.size.count())));
}

bool same_run(const LayoutResult& a, const LayoutResult& b) {
  return a.fingerprint == b.fingerprint && a.links == b.links && a.ranks == b.ranks;
}

std::vector<const LayoutResult*> worth_drawing(const Report& report, std::size_t most,
                                               bool (*has)(const LayoutResult&)) {
  std::vector<const LayoutResult*> chosen;
  for (const LayoutResult* layout : by_speed(report)) {
    const bool known = std::any_of(chosen.begin(), chosen.end(), [&](const LayoutResult* other) {
      return same_run(*layout, *other);
    });
    if (!known && has(*layout) && chosen.size() < most) chosen.push_back(layout);
  }
  return chosen;
}

std::string kind_words(const std::string& kind) {
  static const std::map<std::string, std::string> kWords{{"nic", "NIC"},
                                                         {"nic-function", "NIC function"},
                                                         {"pcie", "PCIe"},
                                                         {"nvlink", "NVLink"},
                                                         {"cpu", "CPU"},
                                                         {"socket-link", "socket link"},
                                                         {"root-port", "root port"}};
  const auto found = kWords.find(kind);
  return found == kWords.end() ? kind : found->second;
}

std::string named(const std::string& name) { return fmt::format("\u201c{}\u201d", name); }

std::string named(const LayoutResult& layout) { return named(layout.name); }

std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    text += i == 0 ? "" : i + 1 == words.size() ? " and " : ", ";
    text += words[i];
  }
  return text;
}

std::vector<Block> first_open(std::vector<Figure> figures, const std::string& summary) {
  std::vector<Block> blocks;
  Details others{summary, {}, false};
  for (Figure& figure : figures) {
    (blocks.empty() ? blocks : others.blocks).emplace_back(std::move(figure));
  }
  if (!others.blocks.empty()) blocks.emplace_back(std::move(others));
  return blocks;
}

}  // namespace vgsim::report
