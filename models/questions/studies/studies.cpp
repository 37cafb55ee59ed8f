#include "models/questions/studies/studies.hpp"

#include "models/questions/studies/one_run.hpp"
#include "models/scenario/answer/run_scenario.hpp"

namespace vgsim::scenario {

Studies run_studies(const Document& document, const ScenarioResult& result, const Library& library,
                    const input::FileLoader& load, const RunSettings& settings) {
  Studies studies;
  const auto prepared = prepare_scenario(document, library, load);
  if (!prepared) return studies;
  const Studied studied{*prepared, library, load, settings};
  if (const auto best = fastest_layout(result)) {
    studies.tornado = tornado(studied, result.layouts[*best]);
  }
  for (const LayoutResult& layout : result.layouts) {
    if (layout.refused) continue;
    if (layout.training) studies.scaling.push_back(scaling_curve(studied, layout));
    studies.busbw.push_back(busbw_curve(studied, layout));
  }
  return studies;
}

}  // namespace vgsim::scenario
