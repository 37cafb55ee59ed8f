#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace vgsim::sweep {

/// Extrapolation from the first points of a sweep to the others.
struct Estimate {
  std::uint64_t first = 0;  ///< points that were run
  double seconds = 0.0;     ///< wall time that they took, on all threads
  std::uint64_t left = 0;   ///< points still to run

  [[nodiscard]] double seconds_left() const;
  /// Whether to ask before continuing: more than an hour.
  [[nodiscard]] bool is_long() const;
};

/// How many points are run before the estimate: one per thread, as they run concurrently.
[[nodiscard]] std::uint64_t first_points(std::size_t jobs, std::uint64_t all);

/// "the first 8 points took 20 s; the other 9992 will take about 6.9 h". Empty below a minute.
[[nodiscard]] std::string estimate_text(const Estimate& estimate);

}  // namespace vgsim::sweep
