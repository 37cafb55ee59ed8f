#include "models/scenario/run/load_curves.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace vgsim::scenario {
namespace {

constexpr std::int32_t kNotWanted = -1;

/// Sums of constant rates by interval. Stores differences between intervals, so that a flow needs
/// two entries, independent of its length.
class Curve {
 public:
  Curve() : at_(kLoadStretches), from_(kLoadStretches) {}

  /// From `begin` to `end`, in intervals, both from 0 to kLoadStretches.
  void add(double amount, double begin, double end) {
    const double rate = end > begin ? amount / (end - begin) : 0;
    if (rate == 0 || std::floor(begin) == std::floor(end)) {
      at_[index(begin)] += amount;
      return;
    }
    turn(rate, begin);
    turn(-rate, end);
  }

  void add_everywhere(double amount) {
    for (double& each : at_) each += amount / static_cast<double>(kLoadStretches);
  }

  [[nodiscard]] std::vector<double> stretches() const {
    std::vector<double> amounts = at_;
    double rate = 0;
    for (std::size_t n = 0; n < amounts.size(); ++n) {
      rate += from_[n];
      amounts[n] = std::max(amounts[n] + rate, 0.0);
    }
    return amounts;
  }

 private:
  static std::size_t index(double place) {
    return std::min(static_cast<std::size_t>(place), kLoadStretches - 1);
  }

  void turn(double rate, double place) {
    if (place >= static_cast<double>(kLoadStretches)) return;
    const std::size_t n = index(place);
    at_[n] += rate * (static_cast<double>(n + 1) - place);
    if (n + 1 < from_.size()) from_[n + 1] += rate;
  }

  std::vector<double> at_;
  std::vector<double> from_;
};

/// A time span relative to repeated iterations, in intervals.
struct InIteration {
  double whole = 0;  ///< number of whole iterations
  double begin = 0;
  double length = 0;  ///< length of the rest

  InIteration(const RanIteration& ran, const TaskRecord& record) {
    const auto all = static_cast<double>(kLoadStretches);
    const double stretch = static_cast<double>((ran.end - ran.begin).count()) / all;
    const double from = static_cast<double>((record.flow_begin - ran.begin).count()) / stretch;
    length = static_cast<double>((record.flow_end - record.flow_begin).count()) / stretch;
    whole = std::floor(length / all);
    length -= whole * all;
    begin = std::clamp(from - std::floor(from / all) * all, 0.0, all);
  }
};

void add(const InIteration& flows, double amount, Curve& curve) {
  const auto all = static_cast<double>(kLoadStretches);
  const double left =
      flows.whole > 0 ? amount * flows.length / (flows.whole * all + flows.length) : amount;
  if (flows.whole > 0) curve.add_everywhere(amount - left);
  const double end = flows.begin + flows.length;
  if (end <= all) {
    curve.add(left, flows.begin, end);
    return;
  }
  const double first = left * (all - flows.begin) / flows.length;
  curve.add(first, flows.begin, all);
  curve.add(left - first, 0, end - all);
}

}  // namespace

std::vector<std::vector<double>> carried_over_time(const RanIteration& ran, const Network& network,
                                                   const std::vector<ResourceId>& wanted) {
  std::vector<std::int32_t> place(network.resources.size(), kNotWanted);
  for (std::size_t w = 0; w < wanted.size(); ++w) {
    place[static_cast<std::size_t>(wanted[w])] = static_cast<std::int32_t>(w);
  }
  std::vector<Curve> curves(wanted.size());
  for (std::size_t i = 0; i < ran.graph.size(); ++i) {
    const auto id = static_cast<TaskId>(i);
    const FlowWork* flow = ran.graph.flow(id);
    if (flow == nullptr || flow->amount.is_zero()) continue;
    const InIteration flows(ran, ran.timeline.task(id));
    const double amount = to_double(flow->amount) * ran.graph.rounds(id);
    for (const auto& [resource, times] : network.routes.crossings(flow->route)) {
      const std::int32_t at = place[static_cast<std::size_t>(resource)];
      if (at == kNotWanted) continue;
      add(flows, amount * static_cast<double>(times), curves[static_cast<std::size_t>(at)]);
    }
  }
  std::vector<std::vector<double>> all;
  for (const ResourceId each : wanted) {
    const std::int32_t at = place[static_cast<std::size_t>(each)];
    all.push_back(curves[static_cast<std::size_t>(at)].stretches());
  }
  return all;
}

}  // namespace vgsim::scenario
