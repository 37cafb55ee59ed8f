#include "models/scenario/answer/model_error.hpp"

#include <algorithm>
#include <stdexcept>

#include "models/collectives/spread.hpp"
#include "models/scenario/read/library.hpp"
#include "models/training/gpu_rates.hpp"

namespace vgsim::scenario {
namespace {

/// Whether the scenario contains a measurement on its GPUs or hosts.
bool is_anchored(const PreparedLayout& layout) {
  const training::TrainingJob& job = *layout.placement.job.training;
  return job.compute_factor != 1.0 || job.achieved_share || job.launch_interval ||
         job.launch_factor != 1.0 || (job.network && job.network->measured);
}

ModelError model_error_of(JobKind kind, bool anchored) {
  std::string word = to_string(kind);
  std::replace(word.begin(), word.end(), ' ', '_');
  const std::string less = word + "_anchored_model_error";
  return {anchored ? less : word + "_model_error", less, &ErrorFactors::passes};
}

/// Time of a part in seconds with a model error and a floor.
double part_of(SimTime time, double factor, SimTime floor) {
  return std::max(to_seconds(time) * factor, to_seconds(std::min(time, floor)));
}

}  // namespace

const char* to_string(JobKind kind) {
  switch (kind) {
    case JobKind::kDataParallel:
      return "data parallel";
    case JobKind::kSharded:
      return "sharded";
    case JobKind::kModelParallel:
      return "split";
  }
  throw std::logic_error("unknown job kind");
}

JobKind kind_of(const PreparedLayout& layout) {
  const training::TrainingJob& job = *layout.placement.job.training;
  if (job.data_parallel_only) return JobKind::kDataParallel;
  const training::Parallelism& split = job.parallelism;
  const std::size_t parts = split.tensor * split.context * split.pipeline * split.expert;
  return parts > 1 ? JobKind::kModelParallel : JobKind::kSharded;
}

std::vector<const topology::GpuModel*> unmeasured_gpus(const Placement& placement,
                                                       const Library& library) {
  std::vector<const topology::GpuModel*> found;
  const topology::Catalog& catalog = *library.catalog;
  for (const vsphere::GuestView& view : placement.views()) {
    for (std::size_t g = 0; g < view.gpu_count(); ++g) {
      const auto model = catalog.gpus.find(placement.cluster->topology.node(view.gpu(g)).model);
      if (model == catalog.gpus.end() || training::is_like_measured(model->second, catalog)) {
        continue;
      }
      if (std::find(found.begin(), found.end(), &model->second) == found.end()) {
        found.push_back(&model->second);
      }
    }
  }
  return found;
}

std::vector<ModelError> model_errors_of(const PreparedLayout& layout) {
  std::vector<ModelError> errors;
  const Idealised& idealised = layout.placement.cluster->idealised;
  const bool anchored = is_anchored(layout);
  if (!idealised.ideal_computing) {
    errors.push_back(model_error_of(kind_of(layout), anchored));
    if (!anchored && !unmeasured_gpus(layout.placement, *layout.library.library).empty()) {
      errors.push_back({"unmeasured_gpu_spread", "", &ErrorFactors::passes});
    }
  }
  if (!idealised.ideal_links() && layout.placement.ranks().is_joined()) {
    errors.push_back(
        {collectives::rate_spread_of(layout.placement.ranks()), "", &ErrorFactors::communication});
  }
  return errors;
}

ErrorFactors error_factors_at(const PreparedLayout& layout, double calibration::Uncertain::*end) {
  ErrorFactors factors;
  const calibration::Parameters& parameters = layout.library.library->parameters;
  for (const ModelError& each : model_errors_of(layout)) {
    factors.*each.part *= parameters.at(each.parameter).quantity.*end;
  }
  return factors;
}

double slowdown_by(const TrainingResult& training, const ErrorFactors& factors) {
  const SimTime all = training.iteration;
  if (all <= SimTime{0} || (factors.passes == 1.0 && factors.communication == 1.0)) return 1.0;
  const SimTime exposed = std::min(training.exposed_communication, all);
  const double parts = part_of(all - exposed, factors.passes, training.floors.compute) +
                       part_of(exposed, factors.communication, training.floors.communication);
  return std::max(parts, to_seconds(std::min(all, training.floors.links))) / to_seconds(all);
}

}  // namespace vgsim::scenario
