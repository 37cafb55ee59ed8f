#pragma once

#include <optional>
#include <vector>

#include "models/questions/studies/busbw_curve.hpp"
#include "models/questions/studies/scaling_curve.hpp"
#include "models/questions/studies/tornado.hpp"
#include "models/scenario/read/document.hpp"
#include "topology/input/file_loader.hpp"

namespace vgsim::scenario {

/// More simulations around a result, to explain it: by layout, in their order, of those that run.
struct Studies {
  std::optional<Tornado> tornado;  ///< of the fastest layout
  std::vector<ScalingCurve> scaling;
  std::vector<BusbwCurve> busbw;
};

/// `result` is what the document gave with these settings and noted inputs.
[[nodiscard]] Studies run_studies(const Document& document, const ScenarioResult& result,
                                  const Library& library, const input::FileLoader& load,
                                  const RunSettings& settings);

}  // namespace vgsim::scenario
