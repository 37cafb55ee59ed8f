#include "models/scenario/build/job.hpp"

namespace vgsim::scenario {

double samples_of(const TrainingJob& training, std::int64_t global_batch,
                  std::int64_t iterations_per_epoch) {
  const auto epochs = static_cast<double>(training.epochs);
  if (training.samples_per_epoch && !training.iterations_per_epoch) {
    return static_cast<double>(*training.samples_per_epoch) * epochs;
  }
  return static_cast<double>(global_batch) * static_cast<double>(iterations_per_epoch) * epochs;
}

}  // namespace vgsim::scenario
