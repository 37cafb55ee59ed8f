#include "sim/max_min.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "sim/ratio_sum.hpp"

namespace vgsim {
namespace {

/// Two approximate heights further apart than this, relatively, differ truly; see
/// Ratio::approximate().
constexpr double kClear = 1e-14;

bool clearly_lower(double a, double b) { return a < b * (1 - kClear); }

std::size_t index(std::uint32_t id) { return static_cast<std::size_t>(id); }

}  // namespace

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
  Resource& resource = resources_.emplace_back();
  resource.capacity = Ratio(capacity);
  resource.capacity_approximately = resource.capacity.approximate();
  heights_.push_back(kUnlimited);
  return static_cast<ResourceId>(resources_.size() - 1);
}

RouteId MaxMin::add_route(std::vector<Crossing> crossings) {
  check_route(crossings);
  return routes_.add(std::move(crossings));
}

void MaxMin::set_capacity(ResourceId resource, const Exact& capacity) {
  if (capacity < 0) throw std::invalid_argument("a capacity is negative");
  const auto id = static_cast<std::uint32_t>(resource);
  if (index(id) >= resources_.size()) throw std::invalid_argument("no such resource");
  resources_[index(id)].capacity = Ratio(capacity);
  resources_[index(id)].capacity_approximately = resources_[index(id)].capacity.approximate();
  enqueue(id, 0);
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
  state.cap_level.reset();
  if (rate_cap) state.cap_level = Ratio(*rate_cap / weight);
  state.limit.reset();
  state.fresh = true;
  state.leaving = false;
  state.seats.clear();
  find_obstacles(member);
  std::uint32_t crossing = 0;
  for (const auto& [id, coefficient] : routes_.crossings(route)) {
    const auto r = static_cast<std::uint32_t>(id);
    std::vector<Place>& places = resources_[index(r)].places;
    state.seats.push_back(static_cast<std::uint32_t>(places.size()));
    places.push_back({member, crossing++, coefficient * weight});
    const Obstacle& other = state.first.at == r ? state.second : state.first;
    enqueue(r, std::min(heights_[index(r)], other.height));
  }
  touch(member);
  return member;
}

void MaxMin::remove(Member member) {
  State& state = members_[member];
  state.leaving = true;
  leaving_.push_back(member);
  if (state.fresh || state.cap_level) return;
  const auto route = static_cast<std::size_t>(state.route);
  if (leaving_on_.size() <= route) leaving_on_.resize(routes_.size());
  leaving_on_[route].push_back(member);
}

std::optional<MaxMin::Member> MaxMin::take_over(RouteId route, std::int64_t weight) {
  const auto i = static_cast<std::size_t>(route);
  if (i >= leaving_on_.size() || leaving_on_[i].empty()) return std::nullopt;
  const Member member = leaving_on_[i].back();
  if (members_[member].weight != weight) return std::nullopt;
  leaving_on_[i].pop_back();
  members_[member].leaving = false;
  return member;
}

/// Takes the member off its resources.
void MaxMin::leave(Member member) {
  State& state = members_[member];
  const auto crossings = routes_.crossings(state.route);
  for (std::size_t i = 0; i < crossings.size(); ++i) {
    const auto r = static_cast<std::uint32_t>(crossings[i].resource);
    Resource& resource = resources_[index(r)];
    const Place last = resource.places.back();
    resource.places[state.seats[i]] = last;
    members_[last.member].seats[last.crossing] = state.seats[i];
    resource.places.pop_back();
    if (heights_[index(r)] == kUnlimited) continue;
    const Obstacle& other = state.first.at == r ? state.second : state.first;
    enqueue(r, std::min(heights_[index(r)], other.height));
  }
  state.touched = false;
  state.leaving = false;
  vacant_.push_back(member);
}

/// The resource gets a turn, at `height` or sooner.
void MaxMin::enqueue(std::uint32_t id, double height) {
  Resource& resource = resources_[index(id)];
  if (resource.queued && resource.queued_at <= height) return;
  resource.queued = true;
  resource.queued_at = height;
  queue_.push_back({height, id});
  std::push_heap(queue_.begin(), queue_.end());
}

void MaxMin::touch(Member member) {
  if (std::exchange(members_[member].touched, true)) return;
  touched_.push_back(member);
}

const Ratio& MaxMin::height_of(const State& state, std::uint32_t obstacle) const {
  return obstacle == kCap ? *state.cap_level : resources_[index(obstacle)].level;
}

/// Whether a is lower than b, exactly; both are obstacles of the flow.
bool MaxMin::lower(const State& state, const Obstacle& a, const Obstacle& b) const {
  if (clearly_lower(a.height, b.height)) return true;
  if (a.height == kUnlimited || clearly_lower(b.height, a.height)) return false;
  return height_of(state, a.at) < height_of(state, b.at);
}

/// The two lowest obstacles; the cap comes first among equals, then the lowest resource.
void MaxMin::find_obstacles(Member member) {
  State& state = members_[member];
  state.first = state.second = {};
  if (state.cap_level) state.first = {kCap, state.cap_level->approximate()};
  for (const auto& [id, coefficient] : routes_.crossings(state.route)) {
    const auto r = static_cast<std::uint32_t>(id);
    const Obstacle obstacle{r, heights_[index(r)]};
    if (lower(state, obstacle, state.first)) {
      state.second = std::exchange(state.first, obstacle);
    } else if (lower(state, obstacle, state.second)) {
      state.second = obstacle;
    }
  }
}

/// Approximately: stops flows at their other obstacles until none is clearly below the level that
/// the rest would rise to.
MaxMin::Filling MaxMin::pour(const Resource& resource, std::uint32_t id) {
  const std::size_t count = resource.places.size();
  others_.resize(count);
  stopped_.assign(count, 0);
  Filling filling;
  for (std::size_t i = 0; i < count; ++i) {
    const Place& place = resource.places[i];
    const State& state = members_[place.member];
    others_[i] = state.first.at == id ? state.second : state.first;
    if (__builtin_add_overflow(filling.demand, place.share, &filling.demand)) {
      throw OverflowError("the flows on a resource weigh more than 64 bits hold");
    }
  }
  if (count == 0) return filling;
  double free = resource.capacity_approximately;
  const double rounding = kClear * static_cast<double>(count + 1) * free;
  const auto rise = [&] {
    filling.height = filling.demand == 0 ? kUnlimited : free / static_cast<double>(filling.demand);
    filling.error = filling.demand == 0 ? 0 : rounding / static_cast<double>(filling.demand);
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
  return filling;
}

/// Makes a filling exact; false when nothing fills the resource.
bool MaxMin::settle(const Resource& resource, Filling& filling, Ratio& level) {
  const std::size_t count = resource.places.size();
  RatioSum taken;
  const auto height = [&](std::size_t i) -> const Ratio& {
    return height_of(members_[resource.places[i].member], others_[i].at);
  };
  for (std::size_t i = 0; i < count; ++i) {
    if (stopped_[i] != 0) taken.add(height(i), resource.places[i].share);
  }
  for (bool again = true; again && filling.demand > 0;) {
    again = false;
    level = taken.left_of(resource.capacity) / filling.demand;
    for (std::size_t i = 0; i < count; ++i) {
      if (stopped_[i] != 0 || others_[i].height > filling.height + filling.error) continue;
      if (!(height(i) < level)) continue;
      stopped_[i] = 1;
      again = true;
      taken.add(height(i), resource.places[i].share);
      filling.demand -= resource.places[i].share;
    }
  }
  return filling.demand > 0;
}

void MaxMin::evaluate(std::uint32_t id) {
  Resource& resource = resources_[index(id)];
  double& height = heights_[index(id)];
  Filling filling = pour(resource, id);
  Ratio level;
  if (filling.demand == 0 || !settle(resource, filling, level)) {
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
  const double height = heights_[index(id)];
  const std::vector<Place>& places = resources_[index(id)].places;
  for (const Place& place : places) {
    State& state = members_[place.member];
    const Obstacle first = state.first;
    const Obstacle second = state.second;
    const bool known = first.at == id || second.at == id;
    if (!known && clearly_lower(second.height, height)) continue;
    if (first.at == id && clearly_lower(height, second.height)) {
      state.first.height = height;
    } else {
      find_obstacles(place.member);
    }
    touch(place.member);
    for (const auto& [other, coefficient] : routes_.crossings(state.route)) {
      const auto q = static_cast<std::uint32_t>(other);
      if (q == id) continue;
      const Obstacle& before = first.at == q ? second : first;
      const Obstacle& after = state.first.at == q ? state.second : state.first;
      if (before.at == after.at && after.at != id) continue;
      const double lowest = std::min(before.height, after.height);
      const double its = heights_[index(q)];
      if (its == kUnlimited ? clearly_lower(after.height, before.height)
                            : clearly_lower(its, lowest)) {
        continue;
      }
      enqueue(q, std::min(its, lowest));
    }
  }
}

void MaxMin::publish() {
  for (const Member member : touched_) {
    State& state = members_[member];
    if (!std::exchange(state.touched, false)) continue;
    const Ratio& level = height_of(state, state.first.at);
    std::optional<ResourceId> limit;
    if (state.first.at != kCap) limit = static_cast<ResourceId>(state.first.at);
    if (!state.fresh && limit == state.limit && level == state.level) continue;
    state.fresh = false;
    state.level = level;
    state.limit = limit;
    changed_.push_back(member);
  }
  touched_.clear();
  std::sort(changed_.begin(), changed_.end());
}

std::span<const MaxMin::Member> MaxMin::solve() {
  changed_.clear();
  for (const Member member : leaving_) {
    const auto route = static_cast<std::size_t>(members_[member].route);
    if (members_[member].leaving) leave(member);
    if (route < leaving_on_.size()) leaving_on_[route].clear();
  }
  leaving_.clear();
  while (!queue_.empty()) {
    const Turn turn = queue_.front();
    std::pop_heap(queue_.begin(), queue_.end());
    queue_.pop_back();
    Resource& resource = resources_[index(turn.resource)];
    if (!resource.queued || resource.queued_at != turn.height) continue;
    resource.queued = false;
    evaluate(turn.resource);
  }
  publish();
  return changed_;
}

}  // namespace vgsim
