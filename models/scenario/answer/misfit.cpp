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

std::string word_of(const PreparedLayout& layout) {
  std::string word = to_string(kind_of(layout));
  std::replace(word.begin(), word.end(), ' ', '_');
  return word;
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
  return is_anchored(layout) ? anchored_misfit_parameter(layout) : word_of(layout) + "_misfit";
}

std::string anchored_misfit_parameter(const PreparedLayout& layout) {
  return word_of(layout) + "_anchored_misfit";
}

calibration::Uncertain misfit_of(const PreparedLayout& layout) {
  return layout.library.library->parameters.at(misfit_parameter(layout)).quantity;
}

}  // namespace vgsim::scenario
