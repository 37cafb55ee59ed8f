#include "models/scenario/run/rank_delays.hpp"

#include <algorithm>
#include <utility>

#include "models/training/compute.hpp"
#include "sim/random.hpp"

namespace vgsim::scenario {
namespace {

using training::Activity;

std::uint64_t stream_of(const Placement& placement, std::size_t rank, std::uint64_t seed) {
  return seed_of(rank_name(placement, rank_class(placement, rank)), seed);
}

bool computes(Activity activity) {
  return activity == Activity::kForward || activity == Activity::kBackward ||
         activity == Activity::kOptimizer;
}

}  // namespace

RankDelays::RankDelays(const Placement& placement, const JobUnits& units,
                       const training::TrainingGraph& training, std::uint64_t seed,
                       std::uint64_t iterations)
    : training_(training), sigma_(placement.job.variability.compute_sigma) {
  units_.resize(units.units.size());
  for (std::size_t u = 0; u < units_.size(); ++u) {
    for (const std::size_t rank : units.units[u]) {
      units_[u].streams.push_back(stream_of(placement, rank, seed));
    }
  }
  for (const EquivalentRanks& equivalent : units.equivalent) {
    DrawnUnit& others = units_[equivalent.others];
    others.lockstep = false;
    others.streams.clear();
    const std::size_t slowest = slowest_rank(placement, equivalent, seed, iterations - 1);
    units_[equivalent.slowest].streams = {stream_of(placement, slowest, seed)};
    for (const std::size_t rank : equivalent.ranks) {
      if (rank != slowest) others.streams.push_back(stream_of(placement, rank, seed));
    }
    others.passed.resize(others.streams.size());
  }
}

void RankDelays::draw(DrawnUnit& unit, std::uint64_t iteration) const {
  if (std::exchange(unit.iteration, iteration) == iteration) return;
  unit.factors.clear();
  for (const std::uint64_t stream : unit.streams) {
    unit.factors.push_back(log_normal_factor(stream, iteration, sigma_));
  }
  unit.largest = *std::max_element(unit.factors.begin(), unit.factors.end());
}

SimTime RankDelays::operator()(TaskId task, std::uint64_t iteration, SimTime delay) {
  const TaskGraph& graph = training_.graph;
  if (!computes(static_cast<Activity>(graph.category(task)))) return delay;
  const std::size_t number = graph.subject(task);
  DrawnUnit& unit = units_[number];
  if (!unit.lockstep && task == training_.units[number].optimizer.begin) {
    std::fill(unit.passed.begin(), unit.passed.end(), SimTime{0});
    unit.reached = SimTime{0};
  }
  if (delay == SimTime{0}) return delay;
  draw(unit, iteration);
  if (unit.lockstep) return training::stretched(delay, unit.largest);
  SimTime latest{};
  for (std::size_t r = 0; r < unit.passed.size(); ++r) {
    unit.passed[r] += training::stretched(delay, unit.factors[r]);
    latest = std::max(latest, unit.passed[r]);
  }
  return latest - std::exchange(unit.reached, latest);
}

std::size_t slowest_rank(const Placement& placement, const EquivalentRanks& ranks,
                         std::uint64_t seed, std::uint64_t iteration) {
  const double sigma = placement.job.variability.compute_sigma;
  std::pair<double, std::size_t> slowest{0.0, ranks.ranks.front()};
  for (const std::size_t rank : ranks.ranks) {
    const double factor = log_normal_factor(stream_of(placement, rank, seed), iteration, sigma);
    if (factor > slowest.first) slowest = {factor, rank};
  }
  return slowest.second;
}

}  // namespace vgsim::scenario
