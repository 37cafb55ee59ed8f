#include "sim/max_min.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

#include "sim/ratio_sum.hpp"

// A change queues the resources whose equations it affects. solve() takes them in order of height,
// fills each one (progressive filling of one resource) and propagates a changed level to the
// resources that share a flow with it. Terms used here:
//
//   height     floating-point approximation of the level L_r of a resource; kUnlimited when its
//              flows never fill it
//   bound      upper bound on a flow's level: the height of one of its resources, or its cap over
//              its weight. Each flow stores its two lowest bounds: the second is the lowest bound
//              from other resources at the resource that sets the first
//   filling    raising the flows of one resource, each up to its lowest other bound (then it is
//              frozen), until they fill the resource: first approximately, then exactly
//   spare      lower bound on the free capacity of an unlimited resource, rounding included
//   component  removed flows that share resources only with each other. They stay parked on their
//              resources for reuse by flows on the same routes, and are released together when
//              another flow enters
//   clear      further apart than the floating-point error; closer values are compared exactly

namespace vgsim {
namespace {

/// Heights whose relative difference exceeds this differ exactly as well; see Ratio::approximate().
constexpr double kClear = 1e-14;

/// Upper bound on the loss of a low level by shortening; higher levels lose less than kClear.
constexpr double kShortestStep = 0x1p-61;

bool clearly_lower(double a, double b) { return a < b * (1 - kClear); }

}  // namespace

MaxMin::MaxMin(const ResourceTable& resources, RouteTable routes) : routes_(std::move(routes)) {
  for (std::size_t i = 0; i < resources.size(); ++i) {
    add_resource(resources.capacity(static_cast<ResourceId>(i)));
  }
  for (std::size_t i = 0; i < routes_.size(); ++i) {
    check_route(routes_.crossings(static_cast<RouteId>(i)));
    add_crossed(static_cast<RouteId>(i));
  }
}

void MaxMin::check_route(std::span<const Crossing> crossings) const {
  for (const Crossing& crossing : crossings) {
    if (static_cast<std::size_t>(crossing.resource) >= resources_.size()) {
      throw std::invalid_argument("a route crosses a resource that does not exist");
    }
  }
}

void MaxMin::add_crossed(RouteId route) {
  crossed_from_.push_back(static_cast<std::uint32_t>(crossed_.size()));
  for (const Crossing& crossing : routes_.crossings(route)) {
    crossed_.push_back(static_cast<std::uint32_t>(crossing.resource));
    coefficients_.push_back(static_cast<double>(crossing.coefficient));
  }
}

ResourceId MaxMin::add_resource(const Ratio& capacity) {
  if (capacity < 0) throw std::invalid_argument("a capacity is negative");
  Resource& resource = resources_.emplace_back();
  resource.capacity = capacity;
  resource.capacity_approximately = resource.capacity.approximate();
  heights_.push_back(kUnlimited);
  spare_.push_back(0);
  queued_at_.push_back(kUnlimited);
  component_of_resource_.push_back(kNone);
  return static_cast<ResourceId>(resources_.size() - 1);
}

RouteId MaxMin::add_route(std::vector<Crossing> crossings) {
  check_route(crossings);
  const RouteId route = routes_.add(std::move(crossings));
  add_crossed(route);
  return route;
}

void MaxMin::set_capacity(ResourceId resource, const Ratio& capacity) {
  if (capacity < 0) throw std::invalid_argument("a capacity is negative");
  const auto id = static_cast<std::uint32_t>(resource);
  if (id >= resources_.size()) throw std::invalid_argument("no such resource");
  resources_[id].capacity = capacity;
  resources_[id].capacity_approximately = resources_[id].capacity.approximate();
  enqueue(id, 0);
}

MaxMin::Member MaxMin::insert(RouteId route, const std::optional<Ratio>& rate_cap,
                              std::int64_t weight) {
  for (const auto& [resource, coefficient] : routes_.crossings(route)) {
    std::int64_t product = 0;
    if (__builtin_mul_overflow(coefficient, weight, &product)) {
      throw OverflowError("coefficient x weight exceeds the signed 64-bit range");
    }
    const std::uint32_t component = component_of_resource_[static_cast<std::size_t>(resource)];
    if (component != kNone) release_component(component);
  }
  if (vacant_.empty()) {
    vacant_.push_back(static_cast<Member>(members_.size()));
    members_.emplace_back();
    bounds_.emplace_back();
    is_affected_.push_back(0);
  }
  const Member member = vacant_.back();
  vacant_.pop_back();
  State& state = members_[member];
  state.route = route;
  state.weight = weight;
  state.cap_level.reset();
  if (rate_cap) state.cap_level = *rate_cap / weight;
  state.limit.reset();
  state.fresh = true;
  state.leaving = false;
  state.component_id = kNone;
  state.positions.clear();
  const std::span<const Crossing> crossings = routes_.crossings(route);
  FlowBounds& bounds = bounds_[member];
  bounds.weight = static_cast<double>(weight);
  bounds.cap_height = state.cap_level ? state.cap_level->approximate() : kUnlimited;
  bounds.begin = crossed_from_[static_cast<std::size_t>(route)];
  bounds.end = bounds.begin + static_cast<std::uint32_t>(crossings.size());
  find_lowest_bounds(member);
  std::uint32_t number = 0;
  for (const auto& [id, coefficient] : crossings) {
    const auto r = static_cast<std::uint32_t>(id);
    std::vector<ResourceUse>& uses = resources_[r].uses;
    state.positions.push_back(static_cast<std::uint32_t>(uses.size()));
    uses.push_back({member, number++, coefficient * weight});
    const double other = bounds.lowest_besides(r).height;
    if (heights_[r] == kUnlimited &&
        still_fits(r, other * static_cast<double>(coefficient * weight))) {
      continue;
    }
    enqueue(r, std::min(heights_[r], other));
  }
  mark_affected(member);
  return member;
}

void MaxMin::remove(Member member) {
  State& state = members_[member];
  state.leaving = true;
  leaving_.push_back(member);
  if (state.fresh) return;
  const auto route = static_cast<std::size_t>(state.route);
  if (leaving_on_.size() <= route) leaving_on_.resize(routes_.size());
  leaving_on_[route].push_back(member);
}

std::optional<MaxMin::Member> MaxMin::revive(RouteId route, const Ratio* rate_cap,
                                             std::int64_t weight) {
  const auto i = static_cast<std::size_t>(route);
  if (i >= leaving_on_.size() || leaving_on_[i].empty()) return std::nullopt;
  const Member member = leaving_on_[i].back();
  State& state = members_[member];
  if (state.weight != weight || state.cap_level.has_value() != (rate_cap != nullptr)) {
    return std::nullopt;
  }
  if (rate_cap != nullptr && !(*state.cap_level * weight == *rate_cap)) return std::nullopt;
  leaving_on_[i].pop_back();
  state.leaving = false;
  if (state.component_id != kNone) revived_components_.push_back(state.component_id);
  return member;
}

std::optional<Ratio> MaxMin::rate_cap(Member member) const {
  const State& state = members_[member];
  if (!state.cap_level) return std::nullopt;
  return *state.cap_level * state.weight;
}

/// Collects the member and all flows that share resources with it, directly or indirectly, in a
/// component. Returns whether all of them are removed; stops at the first that is not.
bool MaxMin::collect_component(Member member, std::uint32_t component) {
  std::vector<Member>& members = components_[component];
  const auto join = [&](Member other) {
    State& state = members_[other];
    if (state.component_id == component) return true;
    if (!state.leaving || state.fresh) return false;
    state.component_id = component;
    members.push_back(other);
    return true;
  };
  if (!join(member)) return false;
  for (std::size_t next = 0; next < members.size(); ++next) {
    const FlowBounds& bounds = bounds_[members[next]];
    for (std::uint32_t i = bounds.begin; i < bounds.end; ++i) {
      if (std::exchange(component_of_resource_[crossed_[i]], component) == component) continue;
      for (const ResourceUse& use : resources_[crossed_[i]].uses) {
        if (!join(use.member)) return false;
      }
    }
  }
  return true;
}

/// Dissolves a parked component: revived flows stay, the others leave their resources.
void MaxMin::release_component(std::uint32_t component) {
  if (components_[component].empty()) return;
  for (const Member member : components_[component]) {
    members_[member].component_id = kNone;
    const FlowBounds& bounds = bounds_[member];
    for (std::uint32_t i = bounds.begin; i < bounds.end; ++i) {
      component_of_resource_[crossed_[i]] = kNone;
    }
  }
  for (const Member member : components_[component]) {
    if (!members_[member].leaving) continue;
    leaving_on_[static_cast<std::size_t>(members_[member].route)].clear();
    detach(member);
  }
  components_[component].clear();
  free_components_.push_back(component);
}

/// Parks the member with its component. If a flow of the component stays active, the members
/// collected so far leave their resources instead.
void MaxMin::park(Member member) {
  if (free_components_.empty()) {
    free_components_.push_back(static_cast<std::uint32_t>(components_.size()));
    components_.emplace_back();
  }
  const std::uint32_t component = free_components_.back();
  free_components_.pop_back();
  if (!collect_component(member, component)) return release_component(component);
  for (const Member parked : components_[component]) {
    leaving_on_[static_cast<std::size_t>(members_[parked].route)].push_back(parked);
  }
}

/// Processes removed flows. Flows that share resources only with each other are parked: their rates
/// are still valid if flows on the same routes follow before any other flow enters.
void MaxMin::process_departures() {
  for (const Member member : leaving_) {
    const auto route = static_cast<std::size_t>(members_[member].route);
    if (route < leaving_on_.size()) leaving_on_[route].clear();
  }
  for (const std::uint32_t component : std::exchange(revived_components_, {})) {
    release_component(component);
  }
  for (const Member member : leaving_) {
    const State& state = members_[member];
    if (!state.leaving || state.component_id != kNone) continue;
    if (state.fresh || state.positions.empty()) {
      detach(member);
    } else {
      park(member);
    }
  }
  leaving_.clear();
}

/// Removes the member from its resources.
void MaxMin::detach(Member member) {
  State& state = members_[member];
  const FlowBounds& bounds = bounds_[member];
  for (std::uint32_t i = 0; i < state.positions.size(); ++i) {
    const std::uint32_t r = crossed_[bounds.begin + i];
    Resource& resource = resources_[r];
    const ResourceUse last = resource.uses.back();
    resource.uses[state.positions[i]] = last;
    members_[last.member].positions[last.crossing] = state.positions[i];
    resource.uses.pop_back();
    if (heights_[r] != kUnlimited) {
      enqueue(r, std::min(heights_[r], bounds.lowest_besides(r).height));
    }
  }
  is_affected_[member] = 0;
  state.leaving = false;
  vacant_.push_back(member);
}

/// Queues the resource for evaluation at `height` or lower.
void MaxMin::enqueue(std::uint32_t id, double height) {
  height = std::min(height, std::numeric_limits<double>::max());
  if (queued_at_[id] <= height) return;
  queued_at_[id] = height;
  queue_.push_back({height, id});
  std::push_heap(queue_.begin(), queue_.end());
}

void MaxMin::mark_affected(Member member) {
  if (std::exchange(is_affected_[member], std::uint8_t{1}) != 0) return;
  affected_.push_back(member);
}

const Ratio& MaxMin::height_of(Member member, std::uint32_t bound) const {
  return bound == kCap ? *members_[member].cap_level : resources_[bound].level;
}

/// Whether a is lower than b, exactly. Both are bounds of the flow.
bool MaxMin::lower(Member member, const Bound& a, const Bound& b) const {
  if (clearly_lower(a.height, b.height)) return true;
  if (a.height == kUnlimited || clearly_lower(b.height, a.height)) return false;
  return height_of(member, a.at) < height_of(member, b.at);
}

/// Sets the two lowest bounds. Ties: the cap first, then the resource with the lowest id.
void MaxMin::find_lowest_bounds(Member member) {
  FlowBounds& bounds = bounds_[member];
  Bound first;
  Bound second;
  if (bounds.cap_height != kUnlimited) first = {bounds.cap_height, kCap};
  for (std::uint32_t i = bounds.begin; i < bounds.end; ++i) {
    const Bound bound{heights_[crossed_[i]], crossed_[i]};
    if (bound.height == kUnlimited || !lower(member, bound, second)) continue;
    second = lower(member, bound, first) ? std::exchange(first, bound) : bound;
  }
  bounds.set(first, second);
}

/// Inserts a bound if it is one of the two lowest. Returns whether it was inserted.
bool MaxMin::add_bound(Member member, const Bound& bound) {
  FlowBounds& bounds = bounds_[member];
  const Bound first{bounds.first_height, bounds.first};
  const Bound second{bounds.second_height, bounds.second};
  const bool before_first =
      lower(member, bound, first) ||
      (first.at != kCap && bound.at < first.at && !lower(member, first, bound));
  if (before_first) {
    bounds.set(bound, first);
  } else if (lower(member, bound, second)) {
    bounds.set(first, bound);
  } else {
    return false;
  }
  return true;
}

/// Whether an unlimited resource certainly stays unlimited when its flows take `more`. Each call
/// subtracts the possible rounding error from the spare capacity as well.
bool MaxMin::still_fits(std::uint32_t id, double more) {
  if (queued_at_[id] != kUnlimited) return false;
  spare_[id] -= more + kClear * resources_[id].capacity_approximately;
  return spare_[id] > 0;
}

/// Freezes flows at their other bounds, in floating point, until no other bound is clearly below
/// the level.
MaxMin::Filling MaxMin::fill_approximately(const Resource& resource, std::uint32_t id) {
  const std::size_t count = resource.uses.size();
  other_bounds_.resize(count);
  frozen_.assign(count, 0);
  Filling filling;
  double free = resource.capacity_approximately;
  const double rounding = kClear * static_cast<double>(count + 1) * free;
  filling.spare = free - rounding;
  if (count == 0) return filling;
  for (std::size_t i = 0; i < count; ++i) {
    const ResourceUse& use = resource.uses[i];
    other_bounds_[i] = bounds_[use.member].lowest_besides(id);
    if (__builtin_add_overflow(filling.demand, use.share, &filling.demand)) {
      throw OverflowError("the weights of the flows on a resource exceed 64 bits");
    }
  }
  const auto rise = [&] {
    filling.height = filling.demand == 0 ? kUnlimited : free / static_cast<double>(filling.demand);
    filling.error = filling.demand == 0
                        ? 0
                        : std::max(rounding / static_cast<double>(filling.demand), kShortestStep);
  };
  rise();
  for (bool again = true; again && filling.demand > 0;) {
    again = false;
    for (std::size_t i = 0; i < count && filling.demand > 0; ++i) {
      if (frozen_[i] != 0 || !(other_bounds_[i].height < filling.height - filling.error)) continue;
      const std::int64_t share = resource.uses[i].share;
      frozen_[i] = 1;
      again = true;
      free -= other_bounds_[i].height * static_cast<double>(share);
      filling.demand -= share;
      rise();
    }
  }
  filling.spare = free - rounding;
  return filling;
}

/// Completes a filling exactly, with a shortened level. Returns false when the flows do not fill
/// the resource.
bool MaxMin::fill_exactly(const Resource& resource, Filling& filling, Ratio& level) {
  const std::size_t count = resource.uses.size();
  RatioSum taken;
  const auto height = [&](std::size_t i) -> const Ratio& {
    return height_of(resource.uses[i].member, other_bounds_[i].at);
  };
  for (std::size_t i = 0; i < count; ++i) {
    if (frozen_[i] != 0) taken.add(height(i), resource.uses[i].share);
  }
  for (bool again = true; again && filling.demand > 0;) {
    again = false;
    level = taken.short_share_of_rest(resource.capacity, filling.demand);
    const double reached = level.approximate();
    for (std::size_t i = 0; i < count; ++i) {
      if (frozen_[i] != 0 || clearly_lower(reached, other_bounds_[i].height)) continue;
      if (!(height(i) < level)) continue;
      frozen_[i] = 1;
      again = true;
      taken.add(height(i), resource.uses[i].share);
      filling.demand -= resource.uses[i].share;
    }
  }
  filling.spare = 0;
  return filling.demand > 0;
}

void MaxMin::evaluate(std::uint32_t id) {
  Resource& resource = resources_[id];
  double& height = heights_[id];
  Filling filling = fill_approximately(resource, id);
  Ratio level;
  if (filling.demand == 0 || !fill_exactly(resource, filling, level)) {
    spare_[id] = filling.spare;
    if (height == kUnlimited) return;
    height = kUnlimited;
  } else {
    if (height != kUnlimited && resource.level == level) return;
    resource.level = std::move(level);
    height = resource.level.approximate();
  }
  propagate(id);
}

/// Updates the bounds of the flows on a resource to its new level and queues the resources that
/// this affects.
void MaxMin::propagate(std::uint32_t id) {
  const double height = heights_[id];
  for (const ResourceUse& use : resources_[id].uses) {
    FlowBounds& bounds = bounds_[use.member];
    const FlowBounds before = bounds;
    const bool known = before.first == id || before.second == id;
    if (!known) {
      if (clearly_lower(before.second_height, height)) continue;
      if (!add_bound(use.member, {height, id})) continue;
    } else if (before.first == id && clearly_lower(height, before.second_height)) {
      bounds.first_height = height;
    } else {
      find_lowest_bounds(use.member);
    }
    mark_affected(use.member);
    const bool only_second = before.first == bounds.first && bounds.first != id;
    for (std::uint32_t i = bounds.begin; i < bounds.end; ++i) {
      // A flow's second bound matters only on its bottleneck resource.
      if (only_second ? crossed_[i] == bounds.first : crossed_[i] != id) {
        bound_moved(i, id, before, bounds);
      }
    }
  }
}

/// Queues the resource of a crossing if the flow's lowest other bound there has changed, with the
/// level of `moved`, in a way that matters to it.
void MaxMin::bound_moved(std::uint32_t crossing, std::uint32_t moved, const FlowBounds& before,
                         const FlowBounds& after) {
  const std::uint32_t resource = crossed_[crossing];
  const Bound was = before.lowest_besides(resource);
  const Bound is = after.lowest_besides(resource);
  if (was.at == is.at && is.at != moved) return;
  const double lowest = std::min(was.height, is.height);
  const double its = heights_[resource];
  if (its == kUnlimited) {
    if (clearly_lower(is.height, was.height)) return;
    if (still_fits(resource, (is.height - was.height) * coefficients_[crossing] * after.weight)) {
      return;
    }
  } else if (clearly_lower(its, lowest)) {
    return;
  }
  enqueue(resource, std::min(its, lowest));
}

void MaxMin::publish() {
  for (const Member member : affected_) {
    if (std::exchange(is_affected_[member], std::uint8_t{0}) == 0) continue;
    State& state = members_[member];
    const std::uint32_t first = bounds_[member].first;
    const Ratio& level = height_of(member, first);
    std::optional<ResourceId> limit;
    if (first != kCap) limit = static_cast<ResourceId>(first);
    if (!state.fresh && limit == state.limit && level == state.level) continue;
    state.fresh = false;
    state.level = level;
    state.limit = limit;
    if (!state.leaving) changed_.push_back(member);
  }
  affected_.clear();
  std::sort(changed_.begin(), changed_.end());
}

std::span<const MaxMin::Member> MaxMin::solve() {
  changed_.clear();
  process_departures();
  while (!queue_.empty()) {
    const QueueEntry entry = queue_.front();
    std::pop_heap(queue_.begin(), queue_.end());
    queue_.pop_back();
    if (queued_at_[entry.resource] != entry.height) continue;
    queued_at_[entry.resource] = kUnlimited;
    evaluate(entry.resource);
  }
  publish();
  return changed_;
}

}  // namespace vgsim
