#include "models/training/gpu_part.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace vgsim::training {
namespace {

/// How host and GPU overlap where nothing is known: the square root of the sum of the squares.
constexpr int kUsualOverlap = 2;
/// The others that a fit tries: none, and almost all. Powers of two need only products and square
/// roots, which have the same bits everywhere.
constexpr std::array kOtherOverlaps{1, 4, 8};

double power(double base, int exponent) {
  for (; exponent > 1; exponent /= 2) base *= base;
  return base;
}

double root(double radicand, int exponent) {
  for (; exponent > 1; exponent /= 2) radicand = std::sqrt(radicand);
  return radicand;
}

double overlapped(double a, double b, int overlap) {
  return root(power(a, overlap) + power(b, overlap), overlap);
}

/// Seconds of a batch.
struct Sample {
  double batch = 1;
  double seconds = 0;
};

/// Time that does not depend on the batch, and time of each sample.
struct Curve {
  double fixed = 0;
  double each = 0;
  int overlap = kUsualOverlap;

  [[nodiscard]] double of(double batch) const { return overlapped(fixed, each * batch, overlap); }
};

/// Fits all samples: t^p = fixed^p + each^p b^p is linear in the powers, so the best fit solves two
/// equations. If one of the two terms would be negative, the other one is fitted alone.
Curve fit(const std::vector<Sample>& samples, int overlap) {
  const Sample& unit = samples.back();
  double ones = 0;
  double mixed = 0;
  double squares = 0;
  double right_one = 0;
  double right_power = 0;
  for (const Sample& sample : samples) {
    const double x = 1 / power(sample.seconds / unit.seconds, overlap);
    const double y = x * power(sample.batch / unit.batch, overlap);
    ones += x * x;
    mixed += x * y;
    squares += y * y;
    right_one += x;
    right_power += y;
  }
  const double determinant = ones * squares - mixed * mixed;
  double fixed = (right_one * squares - right_power * mixed) / determinant;
  double each = (right_power * ones - right_one * mixed) / determinant;
  if (fixed < 0) {
    fixed = 0;
    each = right_power / squares;
  } else if (each < 0) {
    fixed = right_one / ones;
    each = 0;
  }
  return {root(fixed, overlap) * unit.seconds, root(each, overlap) * unit.seconds / unit.batch,
          overlap};
}

double error_of(const Curve& curve, const std::vector<Sample>& samples) {
  double sum = 0;
  for (const Sample& sample : samples) {
    const double error = curve.of(sample.batch) / sample.seconds - 1;
    sum += error * error;
  }
  return sum;
}

/// The curve of the best overlap; two samples fit each of them.
Curve best_fit(const std::vector<Sample>& samples) {
  Curve best = fit(samples, kUsualOverlap);
  if (samples.size() < 3) return best;
  double least = error_of(best, samples);
  for (const int overlap : kOtherOverlaps) {
    const Curve other = fit(samples, overlap);
    const double error = error_of(other, samples);
    if (error >= least || std::isnan(error)) continue;
    best = other;
    least = error;
  }
  return best;
}

/// Parts of a step on the whole GPU, in seconds.
struct Parts {
  double host = 0;
  double small = 0;  ///< kernels that do not fill the GPU
  double work = 0;   ///< kernels that do
  int overlap = kUsualOverlap;

  [[nodiscard]] double all() const { return overlapped(host, small + work, overlap); }
};

/// The host's part of a point whose busy share is known.
double host_time(const MeasuredStep::Point& point, int overlap) {
  const double busy = power(*point.busy, overlap);
  return root(1 - busy, overlap) * to_seconds(point.time);
}

Parts busy_parts(const MeasuredStep& measured, std::int64_t batch) {
  Parts parts;
  if (measured.in_turn) parts.overlap = 1;
  std::vector<Sample> busy;
  for (const MeasuredStep::Point& point : measured.points) {
    busy.push_back({static_cast<double>(point.batch), *point.busy * to_seconds(point.time)});
  }
  const Curve curve =
      busy.size() > 1 ? fit(busy, 1) : Curve{0, busy.front().seconds / busy.front().batch, 1};
  parts.small = curve.fixed;
  parts.work = curve.each * static_cast<double>(batch);
  parts.host = host_time(measured.points.front(), parts.overlap);
  for (std::size_t i = 0; i < busy.size(); ++i) {
    const MeasuredStep::Point& point = measured.points[i];
    if (point.batch > batch) continue;
    parts.host = host_time(point, parts.overlap);  // of the largest batch up to this one
    if (point.batch < batch) continue;
    const double correction = busy[i].seconds / (parts.small + parts.work);
    parts.small *= correction;
    parts.work *= correction;
  }
  return parts;
}

Parts parts_of(const MeasuredStep& measured, std::int64_t batch) {
  if (measured.points.front().busy) return busy_parts(measured, batch);
  std::vector<Sample> samples;
  for (const MeasuredStep::Point& point : measured.points) {
    samples.push_back({static_cast<double>(point.batch), to_seconds(point.time)});
  }
  const auto count = static_cast<double>(batch);
  if (samples.size() == 1) {
    return {0, 0, samples.front().seconds / samples.front().batch * count, kUsualOverlap};
  }
  const Curve curve = measured.in_turn ? fit(samples, 1) : best_fit(samples);
  double correction = 1.0;
  for (const Sample& sample : samples) {
    if (sample.batch == count) correction = sample.seconds / curve.of(count);
  }
  return {correction * curve.fixed, 0, correction * curve.each * count, curve.overlap};
}

/// What the reading of weights takes longer on a part of the GPU, in seconds. On the whole GPU it
/// is within the time that does not grow with the batch.
double more_reading(const GpuPart& part, const MeasuredStep& measured, const Parts& parts) {
  if (part.bandwidth <= 0) return 0;
  const double reading = static_cast<double>(measured.weights_read.count()) / part.bandwidth;
  return std::min(reading, parts.all() - parts.work) * (1 / part.memory - 1);
}

SimTime time_of(double seconds) { return SimTime{static_cast<std::int64_t>(seconds * 1e12 + 0.5)}; }

}  // namespace

double GpuPart::slowdown() const {
  const double scaled = (1 - memory_bound) / compute + memory_bound / memory;
  return std::max(least, (1 - unscaled) * scaled + unscaled);
}

double GpuPart::slowdown_of_small() const {
  const double filled = slowdown();
  return (filled + 1 / filled) / 2;
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
  const Parts parts = parts_of(measured, batch);
  const double more_small =
      std::max(parts.small * (part.slowdown_of_small() - 1), more_reading(part, measured, parts));
  const double gpu = parts.work * part.slowdown() + parts.small + more_small;
  const double all = overlapped(parts.host, gpu, parts.overlap);
  ComputeTimes times;
  times.forward = time_of(all);
  times.backward = {SimTime{0}};
  times.launch_wait = time_of(all - std::min(gpu, all));
  return times;
}

}  // namespace vgsim::training
