#include "progressive_filling.hpp"

#include <algorithm>
#include <utility>

#include "sim/units.hpp"

namespace vgsim {
namespace {

/// The state of one filling. `Tap` is a resource with the level at which it fills.
class Filler {
 public:
  explicit Filler(FillProblem& problem);
  std::vector<Ratio> run();

 private:
  struct Tap {
    std::int64_t demand = 0;    // D_r
    std::int64_t stopping = 0;  // the part of it that is frozen in this step
    Ratio full_at;              // F_r / D_r
    std::size_t first_user = 0;
    std::size_t end_user = 0;
  };

  void list_users();
  void sort_caps();
  void measure(std::size_t resource);
  [[nodiscard]] std::vector<std::size_t> lowest_taps();
  void stop_flow(std::size_t flow, const Ratio& level);
  void stop_capped(const Ratio& level);
  void drain(const Ratio& level);

  FillProblem& problem_;
  std::vector<Tap> taps_;
  std::vector<std::size_t> open_;     // resources with demand left
  std::vector<std::size_t> users_;    // flows, grouped by resource
  std::vector<std::size_t> capped_;   // flows with a cap, highest first
  std::vector<std::size_t> drained_;  // resources with `stopping` set
  std::vector<Ratio> levels_;
  std::vector<bool> stopped_;
  std::size_t rising_;
};

Filler::Filler(FillProblem& problem)
    : problem_(problem),
      taps_(problem.free.size()),
      levels_(problem.flows.size()),
      stopped_(problem.flows.size(), false),
      rising_(problem.flows.size()) {
  list_users();
  sort_caps();
  for (std::size_t resource = 0; resource < taps_.size(); ++resource) {
    if (taps_[resource].demand == 0) continue;
    measure(resource);
    open_.push_back(resource);
  }
}

void Filler::list_users() {
  for (const auto& crossing : problem_.crossings) ++taps_[crossing.resource].end_user;
  std::size_t offset = 0;
  for (Tap& tap : taps_) {
    tap.first_user = offset;
    offset += tap.end_user;
    tap.end_user = tap.first_user;
  }
  users_.resize(offset);
  for (std::size_t flow = 0; flow < problem_.flows.size(); ++flow) {
    const auto& [first, end, weight, cap] = problem_.flows[flow];
    for (std::size_t i = first; i < end; ++i) {
      Tap& tap = taps_[problem_.crossings[i].resource];
      const std::int64_t share = problem_.crossings[i].coefficient * weight;
      if (__builtin_add_overflow(tap.demand, share, &tap.demand)) {
        throw OverflowError("the weights of the flows on a resource exceed 64 bits");
      }
      users_[tap.end_user++] = flow;
    }
  }
}

void Filler::sort_caps() {
  for (std::size_t flow = 0; flow < problem_.flows.size(); ++flow) {
    if (problem_.flows[flow].cap_level) capped_.push_back(flow);
  }
  std::sort(capped_.begin(), capped_.end(), [this](std::size_t a, std::size_t b) {
    return *problem_.flows[b].cap_level < *problem_.flows[a].cap_level;
  });
}

void Filler::measure(std::size_t resource) {
  Tap& tap = taps_[resource];
  tap.full_at = shortened(problem_.free[resource] / tap.demand);
}

/// The open resources that saturate first, all at one level; closes those without demand.
std::vector<std::size_t> Filler::lowest_taps() {
  std::erase_if(open_, [this](std::size_t resource) { return taps_[resource].demand == 0; });
  std::vector<std::size_t> lowest;
  for (const std::size_t resource : open_) {
    const Ratio& level = taps_[resource].full_at;
    if (!lowest.empty() && level < taps_[lowest.front()].full_at) lowest.clear();
    if (lowest.empty() || level == taps_[lowest.front()].full_at) lowest.push_back(resource);
  }
  return lowest;
}

void Filler::stop_flow(std::size_t flow, const Ratio& level) {
  if (stopped_[flow]) return;
  stopped_[flow] = true;
  --rising_;
  levels_[flow] = level;
  const auto& [first, end, weight, cap] = problem_.flows[flow];
  for (std::size_t i = first; i < end; ++i) {
    const auto [resource, coefficient] = problem_.crossings[i];
    Tap& tap = taps_[resource];
    if (tap.stopping == 0) drained_.push_back(resource);
    tap.stopping += coefficient * weight;
  }
}

void Filler::stop_capped(const Ratio& level) {
  while (!capped_.empty() && *problem_.flows[capped_.back()].cap_level == level) {
    stop_flow(capped_.back(), level);
    capped_.pop_back();
  }
}

void Filler::drain(const Ratio& level) {
  for (const std::size_t resource : drained_) {
    Tap& tap = taps_[resource];
    problem_.free[resource] -= level * tap.stopping;
    tap.demand -= tap.stopping;
    tap.stopping = 0;
    if (tap.demand > 0) measure(resource);
  }
  drained_.clear();
}

std::vector<Ratio> Filler::run() {
  while (rising_ > 0) {
    while (!capped_.empty() && stopped_[capped_.back()]) capped_.pop_back();
    const std::vector<std::size_t> lowest = lowest_taps();
    const Ratio* cap = capped_.empty() ? nullptr : &*problem_.flows[capped_.back()].cap_level;
    if (lowest.empty() || (cap != nullptr && !(taps_[lowest.front()].full_at < *cap))) {
      const Ratio level = *cap;
      stop_capped(level);
      drain(level);
      continue;
    }
    const Ratio level = taps_[lowest.front()].full_at;
    for (const std::size_t resource : lowest) {
      for (std::size_t i = taps_[resource].first_user; i < taps_[resource].end_user; ++i) {
        stop_flow(users_[i], level);
      }
    }
    drain(level);
  }
  return std::move(levels_);
}

}  // namespace

std::vector<Ratio> fill_progressively(FillProblem& problem) { return Filler(problem).run(); }

}  // namespace vgsim
