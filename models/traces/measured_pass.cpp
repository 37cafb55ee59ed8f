#include "models/traces/measured_pass.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "models/calibration/statistics.hpp"

namespace vgsim::traces {
namespace {

using calibration::median;

/// Longest gap in seconds between queued kernels; longer ones wait for the host.
constexpr double kLongestGap = 20e-6;
/// Longest interval between launches; longer ones have another cause.
constexpr double kLongestInterval = 1e-3;

struct PassKernels {
  std::vector<const TracedKernel*> forward;
  std::vector<const TracedKernel*> backward;
};

PassKernels kernels_of(const Trace& trace, const TracedPasses& passes,
                       const TracedIteration& pass) {
  PassKernels found;
  for (const TracedKernel& kernel : trace.kernels) {
    if (!kernel.operation || *kernel.operation < pass.first || *kernel.operation >= pass.last) {
      continue;
    }
    const Phase phase = passes.phases[*kernel.operation];
    if (phase == Phase::kForward) found.forward.push_back(&kernel);
    if (phase == Phase::kBackward) found.backward.push_back(&kernel);
  }
  return found;
}

double sum_of(const std::vector<const TracedKernel*>& kernels) {
  return std::accumulate(kernels.begin(), kernels.end(), 0.0,
                         [](double sum, const auto* kernel) { return sum + kernel->seconds; });
}

/// Sum of the gaps of all kernels, if these follow each other without waiting.
double gap_of(const std::vector<const TracedKernel*>& kernels) {
  std::vector<double> gaps;
  for (std::size_t i = 1; i < kernels.size(); ++i) {
    const double gap = kernels[i]->start - kernels[i - 1]->start - kernels[i - 1]->seconds;
    if (gap >= 0 && gap <= kLongestGap) gaps.push_back(gap);
  }
  return gaps.empty() ? 0.0 : median(gaps);
}

double interval_of(const std::vector<const TracedKernel*>& kernels) {
  std::vector<double> launches;
  for (const TracedKernel* kernel : kernels) launches.push_back(kernel->launched);
  std::sort(launches.begin(), launches.end());
  double sum = 0;
  std::size_t count = 0;
  for (std::size_t i = 1; i < launches.size(); ++i) {
    const double interval = launches[i] - launches[i - 1];
    if (interval <= 0 || interval > kLongestInterval) continue;
    sum += interval;
    ++count;
  }
  return count == 0 ? 0.0 : sum / static_cast<double>(count);
}

std::vector<std::int64_t> count_by_layer(const std::vector<const TracedKernel*>& kernels,
                                         const std::vector<TracedLayer>& layers) {
  std::vector<std::int64_t> counts(layers.size());
  for (const TracedKernel* kernel : kernels) {
    const auto behind =
        std::upper_bound(layers.begin(), layers.end(), *kernel->operation,
                         [](std::size_t at, const TracedLayer& layer) { return at < layer.first; });
    const auto index = std::max<std::ptrdiff_t>(behind - layers.begin() - 1, 0);
    ++counts[static_cast<std::size_t>(index)];
  }
  return counts;
}

void add_precisions(const std::vector<const TracedKernel*>& kernels,
                    std::map<std::string, double>& seconds) {
  for (const TracedKernel* kernel : kernels) {
    if (!kernel->precision.empty()) seconds[kernel->precision] += kernel->seconds;
  }
}

/// A truncated pass, or one of another network, has other layers.
bool is_like(const TracedIteration& a, const TracedIteration& b) {
  const std::size_t less = std::min(a.forward.size(), b.forward.size());
  const std::size_t more = std::max(a.forward.size(), b.forward.size());
  return less * 10 >= more * 9;
}

}  // namespace

std::optional<MeasuredPass> measured_pass(const Trace& trace, const TracedPasses& passes,
                                          const TracedIteration& pass,
                                          const std::vector<TracedLayer>& layers) {
  const PassKernels own = kernels_of(trace, passes, pass);
  if (own.forward.empty() || own.backward.empty() || layers.empty()) return std::nullopt;
  MeasuredPass measured;
  measured.kernels = count_by_layer(own.forward, layers);
  std::map<std::string, double> precisions;
  std::vector<double> seconds;
  std::vector<double> intervals;
  for (const TracedIteration& each : passes.passes) {
    if (!is_like(each, pass)) continue;
    const PassKernels kernels = kernels_of(trace, passes, each);
    if (kernels.forward.empty() || kernels.backward.empty()) continue;
    const double gaps = gap_of(kernels.forward) * static_cast<double>(kernels.forward.size()) +
                        gap_of(kernels.backward) * static_cast<double>(kernels.backward.size());
    seconds.push_back(sum_of(kernels.forward) + sum_of(kernels.backward) + gaps);
    intervals.push_back(interval_of(kernels.forward));
    add_precisions(kernels.forward, precisions);
    add_precisions(kernels.backward, precisions);
  }
  measured.passes = seconds.size();
  measured.seconds = median(seconds);
  measured.launch_interval = median(intervals);
  const auto most =
      std::max_element(precisions.begin(), precisions.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  if (most != precisions.end()) measured.precision = most->first;
  return measured;
}

double achieved_share(const MeasuredPass& measured, double forward_flops, double peak,
                      double kernel_gap) {
  const auto kernels = static_cast<double>(
      std::accumulate(measured.kernels.begin(), measured.kernels.end(), std::int64_t{0}));
  // The launches of small kernels limit a network with any rate of products.
  constexpr double kLeast = 0.1;
  const double products =
      std::max(measured.seconds - 3 * kernel_gap * kernels, kLeast * measured.seconds);
  return 3 * forward_flops / (peak * products);
}

}  // namespace vgsim::traces
