#include "models/training/gpu_part.hpp"

#include <algorithm>
#include <cmath>

namespace vgsim::training {
namespace {

/// Squares of the launch time and of the GPU time of a sample, in s^2.
struct Squares {
  double launches = 0;
  double work = 0;

  [[nodiscard]] double of(double batch) const { return launches + work * batch * batch; }
};

double seconds_of(const MeasuredStep::Point& point) { return to_seconds(point.time); }

/// Fits all points: t^2 = launches + work b^2 is linear, so the best fit solves two equations. If
/// one of the two terms would be negative, the other one is fitted alone.
Squares fit(const std::vector<MeasuredStep::Point>& points) {
  double ones = 0;
  double mixed = 0;
  double squares = 0;
  double right_one = 0;
  double right_square = 0;
  for (const MeasuredStep::Point& point : points) {
    const double x = 1 / (seconds_of(point) * seconds_of(point));
    const double y = x * static_cast<double>(point.batch) * static_cast<double>(point.batch);
    ones += x * x;
    mixed += x * y;
    squares += y * y;
    right_one += x;
    right_square += y;
  }
  const double determinant = ones * squares - mixed * mixed;
  const Squares both{(right_one * squares - right_square * mixed) / determinant,
                     (right_square * ones - right_one * mixed) / determinant};
  if (both.launches >= 0 && both.work >= 0) return both;
  return both.launches < 0 ? Squares{0, right_square / squares} : Squares{right_one / ones, 0};
}

Squares parts_of(const MeasuredStep& measured) {
  if (measured.points.size() > 1) return fit(measured.points);
  const double seconds = seconds_of(measured.points.front());
  const auto batch = static_cast<double>(measured.points.front().batch);
  const double busy = measured.busy.value_or(1.0) * seconds;
  return {seconds * seconds - busy * busy, busy * busy / (batch * batch)};
}

SimTime time_of(double seconds) { return SimTime{static_cast<std::int64_t>(seconds * 1e12 + 0.5)}; }

}  // namespace

double GpuPart::slowdown() const {
  const double scaled = (1 - memory_bound) / compute + memory_bound / memory;
  return std::max(least, (1 - unscaled) * scaled + unscaled);
}

void scale(ComputeRates& rates, const GpuPart& part) {
  if (part.compute == 1 && part.memory == 1) return;
  const bool apart = rates.traffic_per_kept_element > 0;
  const double scaled =
      apart ? part.compute
            : 1 / ((1 - part.memory_bound) / part.compute + part.memory_bound / part.memory);
  rates.flops_per_second *= exact_share(scaled);
  rates.memory_bytes_per_second *= exact_share(part.memory);
  if (rates.products) rates.products->leave(part.compute, part.memory);
}

ComputeTimes step_on(const GpuPart& part, const MeasuredStep& measured, std::int64_t batch) {
  const Squares whole = parts_of(measured);
  const auto samples = static_cast<double>(batch);
  const double slowdown = part.slowdown();
  double correction = 1.0;
  for (const MeasuredStep::Point& point : measured.points) {
    if (point.batch == batch) correction = seconds_of(point) / std::sqrt(whole.of(samples));
  }
  const double work = correction * std::sqrt(whole.work) * samples * slowdown;
  const double all = std::sqrt(correction * correction * whole.launches + work * work);
  ComputeTimes times;
  times.forward = time_of(all);
  times.backward = {SimTime{0}};
  times.launch_wait = time_of(all - std::min(work, all));
  return times;
}

}  // namespace vgsim::training
