#include "models/questions/studies/studies.hpp"

#include "models/questions/studies/one_run.hpp"

namespace vgsim::scenario {

Studies run_studies(const input::Value& document, const ScenarioResult& result,
                    const Library& library, const input::FileLoader& load,
                    const RunSettings& settings) {
  Studies studies;
  if (const auto best = fastest_layout(result)) {
    studies.tornado = tornado(document, result.layouts[*best], library, load, settings);
  }
  for (const LayoutResult& layout : result.layouts) {
    if (layout.refused) continue;
    if (layout.training) {
      studies.scaling.push_back(scaling_curve(document, layout, library, load, settings));
    }
    studies.busbw.push_back(busbw_curve(document, layout, library, load, settings));
  }
  return studies;
}

}  // namespace vgsim::scenario
