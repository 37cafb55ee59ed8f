#pragma once

#include <optional>
#include <vector>

#include "models/questions/studies/busbw_curve.hpp"
#include "models/questions/studies/scaling_curve.hpp"
#include "models/questions/studies/tornado.hpp"
#include "models/scenario/read/document.hpp"
#include "topology/input/file_loader.hpp"

namespace vgsim::scenario {

/// Further simulations that explain a result, by layout, in their order, without failed ones.
struct Studies {
  std::optional<Tornado> tornado;  ///< of the fastest layout
  std::vector<ScalingCurve> scaling;
  std::vector<BusbwCurve> busbw;
};

/// `result`: the result of the document with these settings and recorded inputs.
[[nodiscard]] Studies run_studies(const Document& document, const ScenarioResult& result,
                                  const Library& library, const input::FileLoader& load,
                                  const RunSettings& settings);

}  // namespace vgsim::scenario
