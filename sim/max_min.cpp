#include "sim/max_min.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

#include "sim/ratio_sum.hpp"

// Words of this file, beside those of the header:
//
//   height    the level at which a resource is full, L_r, as a floating-point number; "unlimited"
//             where nothing fills it
//   obstacle  what may stop a flow from rising: the height of a resource that it crosses, or its
//             cap over its weight. Each flow knows its two lowest: one without the other shows
//   filling   letting the flows of one resource rise, each to its lowest other obstacle at most,
//             until they fill it: first approximately, then exactly
//   spare     what an unlimited resource certainly has left, whatever rounding did
//   turn      a resource whose equation may have moved waits for one, in order of height
//   ghost     a flow that was removed and stays where it disturbs nobody, for the next on its route
//   company   ghosts that share resources with each other alone; they stay or leave together
//   clear     apart by more than floating-point numbers err; what is not is compared exactly

namespace vgsim {
namespace {

/// Two approximate heights further apart than this, relatively, differ truly; see
/// Ratio::approximate().
constexpr double kClear = 1e-14;

/// More than a low level may lose when it is shortened; higher ones lose less than kClear.
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
  haunted_by_.push_back(kNone);
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
  }
  for (const Crossing& crossing : routes_.crossings(route)) {
    const std::uint32_t company = haunted_by_[static_cast<std::size_t>(crossing.resource)];
    if (company != kNone) evict(company);
  }
  if (vacant_.empty()) {
    vacant_.push_back(static_cast<Member>(members_.size()));
    members_.emplace_back();
    held_.emplace_back();
    is_touched_.push_back(0);
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
  state.haunts = kNone;
  state.seats.clear();
  const std::span<const Crossing> crossings = routes_.crossings(route);
  Held& held = held_[member];
  held.weight = static_cast<double>(weight);
  held.cap_height = state.cap_level ? state.cap_level->approximate() : kUnlimited;
  held.begin = crossed_from_[static_cast<std::size_t>(route)];
  held.end = held.begin + static_cast<std::uint32_t>(crossings.size());
  find_obstacles(member);
  std::uint32_t number = 0;
  for (const auto& [id, coefficient] : crossings) {
    const auto r = static_cast<std::uint32_t>(id);
    std::vector<Place>& places = resources_[r].places;
    state.seats.push_back(static_cast<std::uint32_t>(places.size()));
    places.push_back({member, number++, coefficient * weight});
    const double other = held.besides(r).height;
    if (heights_[r] == kUnlimited &&
        still_fits(r, other * static_cast<double>(coefficient * weight))) {
      continue;
    }
    enqueue(r, std::min(heights_[r], other));
  }
  touch(member);
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

std::optional<MaxMin::Member> MaxMin::take_over(RouteId route, const Ratio* rate_cap,
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
  if (state.haunts != kNone) woken_.push_back(state.haunts);
  return member;
}

std::optional<Ratio> MaxMin::rate_cap(Member member) const {
  const State& state = members_[member];
  if (!state.cap_level) return std::nullopt;
  return *state.cap_level * state.weight;
}

/// Puts the member, and all whom it shares resources with in some way, into a company; whether all
/// of these are leaving, and may be followed by others.
bool MaxMin::gather_ghosts(Member member, std::uint32_t company) {
  std::vector<Member>& members = ghosts_[company];
  const auto join = [&](Member other) {
    State& state = members_[other];
    if (state.haunts == company) return true;
    if (!state.leaving || state.fresh) return false;
    state.haunts = company;
    members.push_back(other);
    return true;
  };
  if (!join(member)) return false;
  for (std::size_t next = 0; next < members.size(); ++next) {
    const Held& held = held_[members[next]];
    for (std::uint32_t i = held.begin; i < held.end; ++i) {
      if (std::exchange(haunted_by_[crossed_[i]], company) == company) continue;
      for (const Place& place : resources_[crossed_[i]].places) {
        if (!join(place.member)) return false;
      }
    }
  }
  return true;
}

/// Ends a company: who was taken over stays, the others leave.
void MaxMin::evict(std::uint32_t company) {
  if (ghosts_[company].empty()) return;
  for (const Member member : ghosts_[company]) {
    members_[member].haunts = kNone;
    const Held& held = held_[member];
    for (std::uint32_t i = held.begin; i < held.end; ++i) haunted_by_[crossed_[i]] = kNone;
  }
  for (const Member member : ghosts_[company]) {
    if (!members_[member].leaving) continue;
    leaving_on_[static_cast<std::size_t>(members_[member].route)].clear();
    leave(member);
  }
  ghosts_[company].clear();
  no_company_.push_back(company);
}

/// Lets the member stay as a ghost with its company, or leave with as many of those around it as
/// were seen before one who stays.
void MaxMin::haunt(Member member) {
  if (no_company_.empty()) {
    no_company_.push_back(static_cast<std::uint32_t>(ghosts_.size()));
    ghosts_.emplace_back();
  }
  const std::uint32_t company = no_company_.back();
  no_company_.pop_back();
  if (!gather_ghosts(member, company)) return evict(company);
  for (const Member ghost : ghosts_[company]) {
    leaving_on_[static_cast<std::size_t>(members_[ghost].route)].push_back(ghost);
  }
}

/// Takes out what was removed. Flows that share resources with nobody but each other may as well
/// stay, as ghosts that nobody sees: if the next ones on their routes come before anyone else does,
/// their rates are known.
void MaxMin::settle_departures() {
  for (const Member member : leaving_) {
    const auto route = static_cast<std::size_t>(members_[member].route);
    if (route < leaving_on_.size()) leaving_on_[route].clear();
  }
  for (const std::uint32_t company : std::exchange(woken_, {})) evict(company);
  for (const Member member : leaving_) {
    const State& state = members_[member];
    if (!state.leaving || state.haunts != kNone) continue;
    if (state.fresh || state.seats.empty()) {
      leave(member);
    } else {
      haunt(member);
    }
  }
  leaving_.clear();
}

/// Takes the member off its resources.
void MaxMin::leave(Member member) {
  State& state = members_[member];
  const Held& held = held_[member];
  for (std::uint32_t i = 0; i < state.seats.size(); ++i) {
    const std::uint32_t r = crossed_[held.begin + i];
    Resource& resource = resources_[r];
    const Place last = resource.places.back();
    resource.places[state.seats[i]] = last;
    members_[last.member].seats[last.crossing] = state.seats[i];
    resource.places.pop_back();
    if (heights_[r] != kUnlimited) enqueue(r, std::min(heights_[r], held.besides(r).height));
  }
  is_touched_[member] = 0;
  state.leaving = false;
  vacant_.push_back(member);
}

/// The resource gets a turn, at `height` or sooner.
void MaxMin::enqueue(std::uint32_t id, double height) {
  height = std::min(height, std::numeric_limits<double>::max());
  if (queued_at_[id] <= height) return;
  queued_at_[id] = height;
  queue_.push_back({height, id});
  std::push_heap(queue_.begin(), queue_.end());
}

void MaxMin::touch(Member member) {
  if (std::exchange(is_touched_[member], std::uint8_t{1}) != 0) return;
  touched_.push_back(member);
}

const Ratio& MaxMin::height_of(Member member, std::uint32_t obstacle) const {
  return obstacle == kCap ? *members_[member].cap_level : resources_[obstacle].level;
}

/// Whether a is lower than b, exactly; both are obstacles of the flow.
bool MaxMin::lower(Member member, const Obstacle& a, const Obstacle& b) const {
  if (clearly_lower(a.height, b.height)) return true;
  if (a.height == kUnlimited || clearly_lower(b.height, a.height)) return false;
  return height_of(member, a.at) < height_of(member, b.at);
}

/// The two lowest obstacles; the cap comes first among equals, then the lowest resource.
void MaxMin::find_obstacles(Member member) {
  Held& held = held_[member];
  Obstacle first;
  Obstacle second;
  if (held.cap_height != kUnlimited) first = {held.cap_height, kCap};
  for (std::uint32_t i = held.begin; i < held.end; ++i) {
    const Obstacle obstacle{heights_[crossed_[i]], crossed_[i]};
    if (obstacle.height == kUnlimited || !lower(member, obstacle, second)) continue;
    if (lower(member, obstacle, first)) {
      second = std::exchange(first, obstacle);
    } else {
      second = obstacle;
    }
  }
  held.first = first.at;
  held.first_height = first.height;
  held.second = second.at;
  held.second_height = second.height;
}

/// Puts an obstacle among the two lowest if it is one of them; whether it is.
bool MaxMin::add_obstacle(Member member, const Obstacle& obstacle) {
  Held& held = held_[member];
  const Obstacle first{held.first_height, held.first};
  const Obstacle second{held.second_height, held.second};
  const bool before_first =
      lower(member, obstacle, first) ||
      (first.at != kCap && obstacle.at < first.at && !lower(member, first, obstacle));
  if (before_first) {
    held.second = held.first;
    held.second_height = held.first_height;
    held.first = obstacle.at;
    held.first_height = obstacle.height;
    return true;
  }
  if (!lower(member, obstacle, second)) return false;
  held.second = obstacle.at;
  held.second_height = obstacle.height;
  return true;
}

/// Whether an unlimited resource certainly stays so when its flows take `more`. Each update costs
/// a bit of what is spare, so that rounding never adds up to anything.
bool MaxMin::still_fits(std::uint32_t id, double more) {
  if (queued_at_[id] != kUnlimited) return false;
  spare_[id] -= more + kClear * resources_[id].capacity_approximately;
  return spare_[id] > 0;
}

/// Approximately: stops flows at their other obstacles until none is clearly below the level that
/// the rest would rise to.
MaxMin::Filling MaxMin::pour(const Resource& resource, std::uint32_t id) {
  const std::size_t count = resource.places.size();
  others_.resize(count);
  stopped_.assign(count, 0);
  Filling filling;
  double free = resource.capacity_approximately;
  const double rounding = kClear * static_cast<double>(count + 1) * free;
  filling.spare = free - rounding;
  if (count == 0) return filling;
  for (std::size_t i = 0; i < count; ++i) {
    const Place& place = resource.places[i];
    others_[i] = held_[place.member].besides(id);
    if (__builtin_add_overflow(filling.demand, place.share, &filling.demand)) {
      throw OverflowError("the flows on a resource weigh more than 64 bits hold");
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
      if (stopped_[i] != 0 || !(others_[i].height < filling.height - filling.error)) continue;
      const std::int64_t share = resource.places[i].share;
      stopped_[i] = 1;
      again = true;
      free -= others_[i].height * static_cast<double>(share);
      filling.demand -= share;
      rise();
    }
  }
  filling.spare = free - rounding;
  return filling;
}

/// Makes a filling exact, its level shortened; false when nothing fills the resource.
bool MaxMin::settle(const Resource& resource, Filling& filling, Ratio& level) {
  const std::size_t count = resource.places.size();
  RatioSum taken;
  const auto height = [&](std::size_t i) -> const Ratio& {
    return height_of(resource.places[i].member, others_[i].at);
  };
  for (std::size_t i = 0; i < count; ++i) {
    if (stopped_[i] != 0) taken.add(height(i), resource.places[i].share);
  }
  for (bool again = true; again && filling.demand > 0;) {
    again = false;
    level = taken.short_share_of_rest(resource.capacity, filling.demand);
    const double reached = level.approximate();
    for (std::size_t i = 0; i < count; ++i) {
      if (stopped_[i] != 0 || clearly_lower(reached, others_[i].height)) continue;
      if (!(height(i) < level)) continue;
      stopped_[i] = 1;
      again = true;
      taken.add(height(i), resource.places[i].share);
      filling.demand -= resource.places[i].share;
    }
  }
  filling.spare = 0;
  return filling.demand > 0;
}

void MaxMin::evaluate(std::uint32_t id) {
  Resource& resource = resources_[id];
  double& height = heights_[id];
  Filling filling = pour(resource, id);
  Ratio level;
  if (filling.demand == 0 || !settle(resource, filling, level)) {
    spare_[id] = filling.spare;
    if (height == kUnlimited) return;
    height = kUnlimited;
  } else {
    if (height != kUnlimited && resource.level == level) return;
    resource.level = std::move(level);
    height = resource.level.approximate();
  }
  hand_on(id);
}

/// Tells the flows on a resource, and those that share a resource with them, of its new level.
void MaxMin::hand_on(std::uint32_t id) {
  const double height = heights_[id];
  for (const Place& place : resources_[id].places) {
    Held& held = held_[place.member];
    const Held before = held;
    const bool known = before.first == id || before.second == id;
    if (!known) {
      if (clearly_lower(before.second_height, height)) continue;
      if (!add_obstacle(place.member, {height, id})) continue;
    } else if (before.first == id && clearly_lower(height, before.second_height)) {
      held.first_height = height;
    } else {
      find_obstacles(place.member);
    }
    touch(place.member);
    const bool only_second = before.first == held.first && held.first != id;
    for (std::uint32_t i = held.begin; i < held.end; ++i) {
      // Only where it is held back does a flow's second obstacle count.
      if (only_second ? crossed_[i] == held.first : crossed_[i] != id) {
        move_obstacle(i, id, before, held);
      }
    }
  }
}

/// Gives a resource, that of a crossing of a flow, its turn if the flow's lowest other obstacle has
/// moved, with that of `moved`, so that it matters there.
void MaxMin::move_obstacle(std::uint32_t crossing, std::uint32_t moved, const Held& before,
                           const Held& after) {
  const std::uint32_t resource = crossed_[crossing];
  const Obstacle was = before.besides(resource);
  const Obstacle is = after.besides(resource);
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
  for (const Member member : touched_) {
    if (std::exchange(is_touched_[member], std::uint8_t{0}) == 0) continue;
    State& state = members_[member];
    const std::uint32_t first = held_[member].first;
    const Ratio& level = height_of(member, first);
    std::optional<ResourceId> limit;
    if (first != kCap) limit = static_cast<ResourceId>(first);
    if (!state.fresh && limit == state.limit && level == state.level) continue;
    state.fresh = false;
    state.level = level;
    state.limit = limit;
    if (!state.leaving) changed_.push_back(member);
  }
  touched_.clear();
  std::sort(changed_.begin(), changed_.end());
}

std::span<const MaxMin::Member> MaxMin::solve() {
  changed_.clear();
  settle_departures();
  while (!queue_.empty()) {
    const Turn turn = queue_.front();
    std::pop_heap(queue_.begin(), queue_.end());
    queue_.pop_back();
    if (queued_at_[turn.resource] != turn.height) continue;
    queued_at_[turn.resource] = kUnlimited;
    evaluate(turn.resource);
  }
  publish();
  return changed_;
}

}  // namespace vgsim
