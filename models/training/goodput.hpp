#pragma once

namespace vgsim::training {

/// A long job that writes checkpoints and restarts from the last one after a failure. Times are in
/// seconds. Failures are independent of each other and of the job.
struct FailingJob {
  double work = 0;              ///< without failures and checkpoints
  double between_failures = 0;  ///< mean, of the whole job
  double every = 0;             ///< work between two checkpoints; 0: no checkpoints
  double save = 0;              ///< pause for one checkpoint
  double restart = 0;           ///< from a failure until work resumes
};

/// Expected time until the work is done. Each interval, with its checkpoint, is repeated until it
/// completes without failure: J. T. Daly, A higher order estimate of the optimum checkpoint
/// interval, 2006, equation 13: intervals x between x e^(restart / between) x (e^((every + save) /
/// between) - 1).
[[nodiscard]] double expected_time(const FailingJob& job);

/// The checkpoint interval with nearly the shortest expected time: the square root of 2 x save x
/// between_failures. J. W. Young, 1974. Valid while `save` is much shorter than `between_failures`.
[[nodiscard]] double best_interval(const FailingJob& job);

}  // namespace vgsim::training
