#pragma once

#include <malloc.h>

#include <algorithm>
#include <climits>
#include <cstddef>
#include <ctime>

namespace vgsim::test {

/// CPU time of this process: what runs beside it does not count.
template <class Work>
double cpu_seconds(const Work& work) {
  const std::clock_t begin = std::clock();
  work();
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

/// Whether reading `text(size)` takes some ten times as long as `text(size / 10)` and not a hundred
/// times, as where every part looks at all others. Disturbances only lengthen times: the shortest
/// counts. Memory that was used once is kept: pages that are fresh from the system, which small
/// texts do without, can cost more than all the reading.
template <class Text, class Read>
bool is_read_in_linear_time(const Text& text, const Read& read, std::size_t size) {
  constexpr double kMost = 40;
  constexpr double kResolution = 1e-4;  // shorter times are too inaccurate
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, INT_MAX);
  const auto tenth = text(size / 10);
  const auto whole = text(size);
  const auto small = [&] { return cpu_seconds([&] { read(tenth); }); };
  const double shortest = std::min({small(), small(), small(), small(), small()});
  const double limit = kMost * std::max(shortest, kResolution);
  for (int attempt = 0; attempt < 20; ++attempt) {
    if (cpu_seconds([&] { read(whole); }) <= limit) return true;
  }
  return false;
}

}  // namespace vgsim::test
