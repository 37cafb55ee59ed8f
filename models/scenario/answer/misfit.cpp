#include "models/scenario/answer/misfit.hpp"

#include <algorithm>
#include <stdexcept>

#include "models/scenario/read/library.hpp"

namespace vgsim::scenario {
namespace {

/// Something in the scenario was measured on its own GPUs or hosts.
bool is_anchored(const PreparedLayout& layout) {
  const training::TrainingJob& job = *layout.placement.job.training;
  return job.compute_factor != 1.0 || job.achieved_share || job.launch_interval ||
         (job.network && job.network->measured);
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
  if (!layout.split) return JobKind::kData;
  const training::Parallelism& split = layout.split->ranks->parallelism;
  const std::size_t parts = split.tensor * split.context * split.pipeline * split.expert;
  return parts > 1 ? JobKind::kSplit : JobKind::kSharded;
}

std::string misfit_parameter(const PreparedLayout& layout) {
  std::string kind = to_string(kind_of(layout));
  std::replace(kind.begin(), kind.end(), ' ', '_');
  return kind + (is_anchored(layout) ? "_anchored_misfit" : "_misfit");
}

double misfit_of(const PreparedLayout& layout) {
  return layout.library.library->parameters.number(misfit_parameter(layout));
}

}  // namespace vgsim::scenario
