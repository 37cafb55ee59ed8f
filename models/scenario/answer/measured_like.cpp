#include "models/scenario/answer/measured_like.hpp"

#include "models/collectives/spread.hpp"
#include "models/scenario/answer/model_error.hpp"
#include "models/scenario/read/library.hpp"
#include "topology/graph/gpu_generation.hpp"

namespace vgsim::scenario {

std::vector<std::string> error_parameters_of(const PreparedLayout& layout) {
  std::vector<std::string> names;
  if (layout.placement.job.training) {
    for (const ModelError& error : model_errors_of(layout)) names.push_back(error.parameter);
  } else if (layout.placement.ranks().is_joined()) {
    names.push_back(collectives::rate_spread_of(layout.placement.ranks()));
  }
  return names;
}

std::string architecture_of(const PreparedLayout& layout) {
  for (const vsphere::GuestView& view : layout.placement.views()) {
    if (view.gpu_count() == 0) continue;
    const auto& gpus = layout.library.library->catalog->gpus;
    const auto gpu = gpus.find(layout.placement.cluster->topology.node(view.gpu(0)).model);
    if (gpu == gpus.end()) return {};
    std::string word;
    for (const auto& each : topology::kGpuArchitectures) {
      if (gpu->second.compute_capability >= each.capability) word = each.word;
    }
    return word;
  }
  return {};
}

std::size_t machines_like(const PreparedLayout& layout, const std::string& parameter) {
  const auto& on = layout.library.library->parameters.at(parameter).measured_on;
  if (!on) return 0;
  const auto own = on->machines.find(architecture_of(layout));
  return own == on->machines.end() ? 0 : own->second;
}

std::vector<MeasuredLike> measured_like(const PreparedLayout& layout) {
  std::vector<MeasuredLike> all;
  for (const std::string& name : error_parameters_of(layout)) {
    const auto& on = layout.library.library->parameters.at(name).measured_on;
    if (!on) continue;
    all.push_back({on->what, on->all(), architecture_of(layout), machines_like(layout, name)});
  }
  return all;
}

}  // namespace vgsim::scenario
