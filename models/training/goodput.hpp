#pragma once

namespace vgsim::training {

/// A long job that saves its state now and then and goes back to the last saved one when something
/// fails. Times in seconds. Failures come independently of each other and of what the job does.
struct FailingJob {
  double work = 0;              ///< without failures and without saving
  double between_failures = 0;  ///< mean time, of the whole job
  double every = 0;             ///< work between two saved states; 0: nothing is saved
  double save = 0;              ///< that the work stands still for one
  double restart = 0;           ///< from a failure until work goes on
};

/// Expected time until the work is done. Each piece of work, with its saving, is repeated until it
/// gets through: J. T. Daly, A higher order estimate of the optimum checkpoint interval, 2006,
/// equation 13: pieces x between x e^(restart / between) x (e^((every + save) / between) - 1).
[[nodiscard]] double expected_time(const FailingJob& job);

/// The interval between saved states with which it is about the shortest: the square root of
/// 2 x save x between_failures. J. W. Young, 1974.
[[nodiscard]] double best_interval(const FailingJob& job);

}  // namespace vgsim::training
