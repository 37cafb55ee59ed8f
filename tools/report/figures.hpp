#pragma once

#include <string>
#include <utility>

#include "tools/report/charts/frame.hpp"
#include "tools/report/page.hpp"

namespace vgsim::report {

/// A figure of a chart that is drawn for both kinds of pages.
template <class Chart>
[[nodiscard]] Figure figure_of(std::string id, const Chart& chart,
                               std::string (*draw)(const Chart&, const Frame&), Table data) {
  Figure figure;
  figure.id = std::move(id);
  figure.wide = draw(chart, kWide);
  figure.narrow = draw(chart, kNarrow);
  figure.data = std::move(data);
  return figure;
}

}  // namespace vgsim::report
