#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace vgsim::sweep {

/// What the first points of a sweep tell of the others.
struct Estimate {
  std::uint64_t first = 0;  ///< how many were run
  double seconds = 0.0;     ///< that they took together, on all threads
  std::uint64_t left = 0;   ///< how many there are to run

  [[nodiscard]] double seconds_left() const;
  /// Whether somebody should say that they want to wait for that: more than an hour.
  [[nodiscard]] bool is_long() const;
};

/// How many points are run before the others are estimated: one for each thread, as they run at the
/// same time.
[[nodiscard]] std::uint64_t first_points(std::size_t jobs, std::uint64_t all);

/// "the first 8 points took 20 s; the other 9992 will take about 6.9 h". Empty where that is less
/// than a minute.
[[nodiscard]] std::string estimate_text(const Estimate& estimate);

}  // namespace vgsim::sweep
