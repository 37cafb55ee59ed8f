#include "models/training/training_job.hpp"

namespace vgsim::training {

double TrainingJob::samples(std::int64_t iterations) const {
  if (samples_per_epoch && !iterations_per_epoch) {
    return static_cast<double>(*samples_per_epoch) * static_cast<double>(epochs);
  }
  return static_cast<double>(parallelism.global_batch()) * static_cast<double>(iterations) *
         static_cast<double>(epochs);
}

std::int64_t TrainingJob::iterations() const {
  if (iterations_per_epoch) return *iterations_per_epoch;
  const std::int64_t batch = parallelism.global_batch();
  return (samples_per_epoch.value_or(batch) + batch - 1) / batch;
}

}  // namespace vgsim::training
