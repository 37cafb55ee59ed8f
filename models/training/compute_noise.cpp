#include "models/training/compute_noise.hpp"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <numeric>

#include "models/calibration/parameters.hpp"

namespace vgsim::training {
namespace {

// Boost initializes long double constants at program start, which fails under valgrind.
using InDoubles = boost::math::policies::policy<boost::math::policies::promote_double<false>>;

}  // namespace

double expected_largest_deviation(std::size_t values) {
  if (values < 2) return 0.0;
  const auto n = static_cast<double>(values);
  return boost::math::quantile(boost::math::normal_distribution<double, InDoubles>(),
                               (n - 0.375) / (n + 0.25));
}

double slowest_factor(std::size_t ranks, std::int64_t micro_batches, double batch_spread,
                      const calibration::Parameters& parameters) {
  const double deviation = std::hypot(parameters.number("step_jitter"), batch_spread);
  return 1 + deviation / std::sqrt(static_cast<double>(micro_batches)) *
                 expected_largest_deviation(ranks);
}

double overlap_slowdown(const TrafficPlace& place, const calibration::Parameters& parameters) {
  if (!place.one_host) return parameters.number("overlap_slowdown_between_hosts");
  if (place.multiprocessors == 0) return 0.0;
  return std::min(1.0, parameters.number("multiprocessors_per_channel") *
                           static_cast<double>(place.channels) /
                           static_cast<double>(place.multiprocessors));
}

SimTime backward_of(const ComputeTimes& times) {
  return std::accumulate(times.backward.begin(), times.backward.end(), SimTime{0});
}

SimTime passes_of(const ComputeTimes& times) { return times.forward + backward_of(times); }

SimTime stretch_backward(ComputeTimes& times, double factor) {
  const SimTime before = backward_of(times);
  for (SimTime& part : times.backward) part = stretched(part, factor);
  return backward_of(times) - before;
}

SimTime stretch_passes(ComputeTimes& times, double factor) {
  const SimTime before = times.forward;
  times.forward = stretched(times.forward, factor);
  return times.forward - before + stretch_backward(times, factor);
}

}  // namespace vgsim::training
