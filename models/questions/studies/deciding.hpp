#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "models/questions/studies/tornado.hpp"
#include "models/questions/studies/worth_measuring.hpp"
#include "models/scenario/build/prepared.hpp"
#include "models/scenario/run/result.hpp"

namespace vgsim::scenario {

/// A layout with its tornado.
struct VariedLayout {
  const PreparedLayout& prepared;
  const LayoutResult& result;
  const Tornado& tornado;
};

/// The measurements that narrow the interval of the relative difference in time between two layouts
/// most: what both have in common cancels, so they are others than those of either time. Nothing if
/// one of the tornados was left out.
[[nodiscard]] std::vector<WorthMeasuring> deciding_measurements(const VariedLayout& one,
                                                                const VariedLayout& other);

/// A layout of which is not decided whether it is slower than the fastest with the same work.
struct UndecidedLayout {
  std::size_t fastest = 0;  ///< index into ScenarioResult::layouts
  std::size_t layout = 0;
  std::vector<WorthMeasuring> measure;  ///< measurements that decide it, most helpful first
};

/// The undecided layouts of a result, nearest to the fastest first, for which a measurement helps;
/// at most `most`. `varied` gives the tornado of a layout, or nothing where that is too expensive.
[[nodiscard]] std::vector<UndecidedLayout> undecided_layouts(
    const ScenarioResult& result,
    const std::function<std::optional<VariedLayout>(std::size_t)>& varied, std::size_t most);

}  // namespace vgsim::scenario
