#include "tools/probe/sampler.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "models/calibration/statistics.hpp"

namespace vgsim::probe {
namespace {

using calibration::median;

constexpr std::size_t kWindow = 5;  // samples whose medians are compared

/// Half of the 95 % interval of a median, relative: its standard error is 1.2533 times that of
/// the mean (large samples of normal noise).
double noise_of_median(const std::vector<double>& samples) {
  const double middle = median(samples);
  std::vector<double> distances;
  for (const double value : samples) distances.push_back(std::fabs(value - middle));
  const double deviation = calibration::kNormalMad * median(distances);
  return 2 * 1.2533 * deviation / (middle * std::sqrt(static_cast<double>(samples.size())));
}

/// Whether the second samples differ significantly from the first.
bool drifts(const std::vector<double>& first, const std::vector<double>& second, double allowed) {
  const double noise = std::hypot(noise_of_median(first), noise_of_median(second));
  const double moved = std::fabs(median(second) / median(first) - 1);
  return moved > std::max(allowed, noise);
}

/// Clocks change while a GPU warms up, so timing begins when two windows of samples agree
/// within their noise, and is repeated while the second half of the samples drifts from the
/// first. Short work is repeated within a sample until the sample is long enough for the clock.
class Sampler {
 public:
  Sampler(PreparedWork& work, const SamplingSettings& settings, const Clock& now)
      : work_(work), settings_(settings), now_(now), started_(now()) {}

  calibration::Timing run() {
    choose_repeats();
    warm_up();
    std::vector<double> samples = take();
    while (drifts(half(samples, 0), half(samples, 1), settings_.drift) && time_is_left()) {
      samples = take();
    }
    calibration::Timing timing;
    timing.median_s = median(samples);
    timing.low_s = calibration::percentile(samples, 5);
    timing.high_s = calibration::percentile(samples, 95);
    timing.samples = samples.size();
    timing.repeats = repeats_;
    timing.steady = !drifts(half(samples, 0), half(samples, 1), settings_.drift);
    return timing;
  }

 private:
  [[nodiscard]] double spent() const { return now_() - started_; }
  [[nodiscard]] bool time_is_left() const { return spent() < settings_.budget_s; }

  std::vector<double> take() {
    std::vector<double> samples;
    while (samples.size() < settings_.most &&
           (samples.size() < settings_.least || time_is_left())) {
      samples.push_back(one());
    }
    return samples;
  }

  /// Seconds of one repetition.
  double one() {
    constexpr double kShortest = 1e-12;  // clocks have steps, so that a time may be 0
    return std::max(kShortest, work_.seconds(repeats_) / static_cast<double>(repeats_));
  }

  /// The first run is slow, so the second one counts; more repetitions give a better
  /// estimate.
  void choose_repeats() {
    constexpr double kMost = 1e6;
    (void)one();
    for (int round = 0; round < 3; ++round) {
      const double wanted = std::ceil(settings_.sample_s / one());
      const auto repeats = static_cast<std::size_t>(std::clamp(wanted, 1.0, kMost));
      if (repeats <= repeats_) return;
      repeats_ = repeats;
    }
  }

  /// Takes half of the budget at most.
  void warm_up() {
    std::vector<double> before;
    while (true) {
      std::vector<double> window;
      for (std::size_t i = 0; i < kWindow; ++i) {
        window.push_back(one());
        if (spent() > settings_.budget_s / 2) return;
      }
      if (!before.empty() && !drifts(before, window, settings_.drift)) return;
      before = std::move(window);
    }
  }

  static std::vector<double> half(const std::vector<double>& samples, std::size_t which) {
    const auto middle = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
    return which == 0 ? std::vector<double>(samples.begin(), middle)
                      : std::vector<double>(middle, samples.end());
  }

  PreparedWork& work_;
  const SamplingSettings& settings_;
  const Clock& now_;
  double started_;
  std::size_t repeats_ = 1;
};

}  // namespace

calibration::Timing sample(PreparedWork& work, const SamplingSettings& settings, const Clock& now) {
  return Sampler(work, settings, now).run();
}

}  // namespace vgsim::probe
