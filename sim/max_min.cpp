#include "sim/max_min.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace vgsim {

MaxMin::MaxMin(const ResourceTable& resources, RouteTable routes) : routes_(std::move(routes)) {
  for (std::size_t i = 0; i < resources.size(); ++i) {
    add_resource(resources.capacity(static_cast<ResourceId>(i)));
  }
  for (std::size_t i = 0; i < routes_.size(); ++i) {
    check_route(routes_.crossings(static_cast<RouteId>(i)));
  }
}

void MaxMin::check_route(std::span<const Crossing> crossings) const {
  for (const Crossing& crossing : crossings) {
    if (static_cast<std::size_t>(crossing.resource) >= resources_.size()) {
      throw std::invalid_argument("a route crosses a resource that does not exist");
    }
  }
}

ResourceId MaxMin::add_resource(const Exact& capacity) {
  if (capacity < 0) throw std::invalid_argument("a capacity is negative");
  resources_.emplace_back().capacity = Ratio(capacity);
  return static_cast<ResourceId>(resources_.size() - 1);
}

RouteId MaxMin::add_route(std::vector<Crossing> crossings) {
  check_route(crossings);
  return routes_.add(std::move(crossings));
}

void MaxMin::set_capacity(ResourceId resource, const Exact& capacity) {
  if (capacity < 0) throw std::invalid_argument("a capacity is negative");
  if (static_cast<std::size_t>(resource) >= resources_.size()) {
    throw std::invalid_argument("no such resource");
  }
  at(resource).capacity = Ratio(capacity);
  touch(resource);
}

MaxMin::Member MaxMin::insert(RouteId route, const std::optional<Exact>& rate_cap,
                              std::int64_t weight) {
  for (const auto& [resource, coefficient] : routes_.crossings(route)) {
    std::int64_t product = 0;
    if (__builtin_mul_overflow(coefficient, weight, &product)) {
      throw OverflowError("coefficient x weight exceeds the signed 64-bit range");
    }
  }
  if (vacant_.empty()) {
    vacant_.push_back(static_cast<Member>(members_.size()));
    members_.emplace_back();
  }
  const Member member = vacant_.back();
  vacant_.pop_back();
  State& state = members_[member];
  state.route = route;
  state.weight = weight;
  if (rate_cap) state.cap_level = Ratio(*rate_cap / weight);
  std::uint32_t crossing = 0;
  for (const auto& [resource, coefficient] : routes_.crossings(route)) {
    std::vector<Place>& places = at(resource).places;
    state.seats.push_back(static_cast<std::uint32_t>(places.size()));
    places.push_back({member, crossing++});
    touch(resource);
  }
  refill_also(member);
  return member;
}

void MaxMin::remove(Member member) {
  State& state = members_[member];
  const auto crossings = routes_.crossings(state.route);
  for (std::size_t i = 0; i < crossings.size(); ++i) {
    Resource& resource = at(crossings[i].resource);
    resource.load -= state.level * (state.weight * crossings[i].coefficient);
    const Place last = resource.places.back();
    resource.places[state.seats[i]] = last;
    members_[last.member].seats[last.crossing] = state.seats[i];
    resource.places.pop_back();
    touch(crossings[i].resource);
  }
  if (state.refilled) std::erase(refilled_, member);
  if (state.noted) std::erase(noted_, member);
  state = State{};
  vacant_.push_back(member);
}

void MaxMin::touch(ResourceId resource) {
  if (std::exchange(at(resource).touched, true)) return;
  touched_.push_back(resource);
}

/// Remembers what the member was like, so that changes can be told when all is done.
void MaxMin::note(Member member) {
  State& state = members_[member];
  if (std::exchange(state.noted, true)) return;
  state.level_before = state.level;
  state.limit_before = state.limit;
  noted_.push_back(member);
}

/// Puts the member into S; false when it was there.
bool MaxMin::refill_also(Member member) {
  if (std::exchange(members_[member].refilled, true)) return false;
  note(member);
  refilled_.push_back(member);
  return true;
}

void MaxMin::choose_seeds() {
  for (const ResourceId id : touched_) {
    const bool overfull = at(id).capacity < at(id).load;
    for (const Place& place : at(id).places) {
      if (overfull || members_[place.member].limit == id) refill_also(place.member);
    }
  }
}

/// The problem of the flows of S in what the others leave free.
FillProblem MaxMin::pose() {
  FillProblem problem;
  for (const Member member : refilled_) {
    const State& state = members_[member];
    const std::size_t first = problem.crossings.size();
    for (const auto& [id, coefficient] : routes_.crossings(state.route)) {
      touch(id);
      Resource& resource = at(id);
      if (resource.local == kNone) {
        resource.local = problem.free.size();
        problem.free.push_back(resource.capacity - resource.load);
      }
      if (!state.level.is_zero()) {
        problem.free[resource.local] += state.level * (state.weight * coefficient);
      }
      problem.crossings.push_back({resource.local, coefficient});
    }
    problem.flows.push_back({first, problem.crossings.size(), state.weight, state.cap_level});
  }
  return problem;
}

void MaxMin::fill() {
  FillProblem problem = pose();
  std::vector<Ratio> levels = water_fill(problem);
  for (std::size_t i = 0; i < refilled_.size(); ++i) {
    members_[refilled_[i]].level = std::move(levels[i]);
  }
  for (const ResourceId id : touched_) {
    Resource& resource = at(id);
    if (resource.local == kNone) continue;
    resource.load = resource.capacity - problem.free[resource.local];
    resource.local = kNone;
  }
}

void MaxMin::measure_touched() {
  for (const ResourceId id : touched_) {
    Resource& resource = at(id);
    resource.saturated = resource.load == resource.capacity;
    const Ratio* highest = nullptr;
    for (const Place& place : resource.places) {
      const Ratio& level = members_[place.member].level;
      if (highest == nullptr || *highest < level) highest = &level;
    }
    resource.highest = highest == nullptr ? Ratio() : *highest;
  }
}

/// Finds what holds the member back; false when nothing does, so that its rate cannot be right.
bool MaxMin::certify(Member member) {
  State& state = members_[member];
  state.limit.reset();
  if (state.cap_level && state.level == *state.cap_level) return true;
  for (const auto& [id, coefficient] : routes_.crossings(state.route)) {
    const Resource& resource = at(id);
    if (resource.saturated && resource.highest == state.level) {
      state.limit = id;
      return true;
    }
  }
  return false;
}

/// Checks the flows outside S that `id` held back.
bool MaxMin::widen_held(ResourceId id) {
  const Resource& resource = at(id);
  bool grown = false;
  for (const auto& [member, crossing] : resource.places) {
    const State& state = members_[member];
    if (state.refilled || state.limit != id) continue;
    if (resource.saturated && resource.highest == state.level) continue;
    note(member);
    if (!certify(member)) grown |= refill_also(member);
  }
  return grown;
}

/// Lets the flows join that take more than `member` on a resource that is full.
bool MaxMin::widen_above(Member member) {
  bool grown = false;
  const State& state = members_[member];
  for (const auto& [id, coefficient] : routes_.crossings(state.route)) {
    if (!at(id).saturated) continue;
    for (const Place& place : at(id).places) {
      if (state.level < members_[place.member].level) grown |= refill_also(place.member);
    }
  }
  return grown;
}

/// Checks the certificate wherever it may have broken; true when S had to grow.
bool MaxMin::widen() {
  bool grown = false;
  const std::vector<Member> filled = refilled_;
  for (const Member member : filled) {
    if (!certify(member)) grown |= widen_above(member);
  }
  for (const ResourceId id : touched_) grown |= widen_held(id);
  return grown;
}

/// A touched resource may now certify a held flow too, at a lower id than the one on record.
void MaxMin::prefer_lower_limits() {
  for (const ResourceId id : touched_) {
    const Resource& resource = at(id);
    if (!resource.saturated) continue;
    for (const auto& [member, crossing] : resource.places) {
      State& state = members_[member];
      if (!state.limit || *state.limit <= id || !(state.level == resource.highest)) continue;
      note(member);
      state.limit = id;
    }
  }
}

void MaxMin::collect_changes() {
  for (const Member member : noted_) {
    State& state = members_[member];
    const bool same = state.limit == state.limit_before && state.level == state.level_before;
    if (!same) changed_.push_back(member);
    state.noted = false;
    state.refilled = false;
  }
  std::sort(changed_.begin(), changed_.end());
  for (const ResourceId id : touched_) at(id).touched = false;
  touched_.clear();
  refilled_.clear();
  noted_.clear();
}

std::span<const MaxMin::Member> MaxMin::solve() {
  changed_.clear();
  if (touched_.empty() && refilled_.empty()) return changed_;
  choose_seeds();
  do {
    fill();
    measure_touched();
  } while (widen());
  prefer_lower_limits();
  collect_changes();
  return changed_;
}

}  // namespace vgsim
