#include "models/scenario/answer/misfit.hpp"

#include <algorithm>
#include <stdexcept>

#include "models/collectives/spread.hpp"
#include "models/scenario/read/library.hpp"
#include "models/training/gpu_rates.hpp"

namespace vgsim::scenario {
namespace {

/// Something in the scenario was measured on its own GPUs or hosts.
bool is_anchored(const PreparedLayout& layout) {
  const training::TrainingJob& job = *layout.placement.job.training;
  return job.compute_factor != 1.0 || job.achieved_share || job.launch_interval ||
         (job.network && job.network->measured);
}

Misfit misfit_of(JobKind kind, bool anchored) {
  std::string word = to_string(kind);
  std::replace(word.begin(), word.end(), ' ', '_');
  const std::string less = word + "_anchored_misfit";
  return {anchored ? less : word + "_misfit", less, &Misfits::passes};
}

/// What a part takes that is so far off, and has a floor.
double part_of(SimTime time, double misfit, SimTime floor) {
  return std::max(to_seconds(time) * misfit, to_seconds(std::min(time, floor)));
}

}  // namespace

const char* to_string(JobKind kind) {
  switch (kind) {
    case JobKind::kData:
      return "data parallel";
    case JobKind::kSharded:
      return "sharded";
    case JobKind::kSplit:
      return "split";
  }
  throw std::logic_error("kind of a job");
}

JobKind kind_of(const PreparedLayout& layout) {
  const training::TrainingJob& job = *layout.placement.job.training;
  if (job.data_alone) return JobKind::kData;
  const training::Parallelism& split = job.parallelism;
  const std::size_t parts = split.tensor * split.context * split.pipeline * split.expert;
  return parts > 1 ? JobKind::kSplit : JobKind::kSharded;
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

std::vector<Misfit> misfits_of(const PreparedLayout& layout) {
  std::vector<Misfit> misfits;
  const Idealised& idealised = layout.placement.cluster->idealised;
  const bool anchored = is_anchored(layout);
  if (!idealised.ideal_computing) {
    misfits.push_back(misfit_of(kind_of(layout), anchored));
    if (!anchored && !unmeasured_gpus(layout.placement, *layout.library.library).empty()) {
      misfits.push_back({"unmeasured_gpu_spread", "", &Misfits::passes});
    }
  }
  if (!idealised.ideal_links() && layout.placement.ranks().is_joined()) {
    misfits.push_back(
        {collectives::rate_spread_of(layout.placement.ranks()), "", &Misfits::communication});
  }
  return misfits;
}

Misfits misfits_at(const PreparedLayout& layout, double calibration::Uncertain::*end) {
  Misfits misfits;
  const calibration::Parameters& parameters = layout.library.library->parameters;
  for (const Misfit& each : misfits_of(layout)) {
    misfits.*each.part *= parameters.at(each.parameter).quantity.*end;
  }
  return misfits;
}

double stretched_by(const TrainingResult& training, const Misfits& misfits) {
  const SimTime all = training.iteration;
  if (all <= SimTime{0} || (misfits.passes == 1.0 && misfits.communication == 1.0)) return 1.0;
  const SimTime exposed = std::min(training.exposed_communication, all);
  const double parts = part_of(all - exposed, misfits.passes, training.floors.compute) +
                       part_of(exposed, misfits.communication, training.floors.communication);
  return std::max(parts, to_seconds(std::min(all, training.floors.links))) / to_seconds(all);
}

}  // namespace vgsim::scenario
