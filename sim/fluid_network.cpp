#include "sim/fluid_network.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace vgsim {

FluidNetwork::FluidNetwork(const Network& network) : max_min_(network.resources, network.routes) {}

FluidNetwork::FluidNetwork(const ResourceTable& resources, RouteTable routes)
    : max_min_(resources, std::move(routes)) {}

ResourceId FluidNetwork::add_resource(const Ratio& capacity_per_second) {
  return max_min_.add_resource(capacity_per_second);
}

RouteId FluidNetwork::add_route(std::vector<Crossing> crossings) {
  return max_min_.add_route(std::move(crossings));
}

void FluidNetwork::set_capacity(SimTime now, ResourceId resource,
                                const Ratio& capacity_per_second) {
  advance_to(now);
  max_min_.set_capacity(resource, capacity_per_second);
}

void FluidNetwork::check_flow(const Ratio& amount, const std::optional<Ratio>& rate_cap,
                              std::int64_t weight) {
  if (amount < 0) throw std::invalid_argument("a flow's amount is negative");
  if (rate_cap && *rate_cap <= 0) throw std::invalid_argument("a flow's rate cap is not positive");
  if (weight < 1) throw std::invalid_argument("a flow's weight is below 1");
}

FlowId FluidNetwork::start_flow(SimTime now, RouteId route, const Ratio& amount,
                                const std::optional<Ratio>& rate_cap, std::int64_t weight) {
  check_flow(amount, rate_cap, weight);
  return start_flow(now, route, Remaining::of(amount), rate_cap ? &*rate_cap : nullptr, weight);
}

FlowId FluidNetwork::start_flow(SimTime now, RouteId route, const Remaining& amount,
                                const Ratio* rate_cap, std::int64_t weight) {
  const bool free = max_min_.crossings(route).empty() && rate_cap == nullptr;
  advance_to(now);
  std::optional<MaxMin::Member> member;
  bool revived = false;
  if (!free && amount.units > 0) {
    member = max_min_.revive(route, rate_cap, weight);
    revived = member.has_value();
    if (!revived) {
      member = max_min_.insert(
          route, rate_cap != nullptr ? std::optional<Ratio>(*rate_cap) : std::nullopt, weight);
    }
  }
  const FlowId id = new_flow();
  Flow& flow = at(id);
  flow.segment_begin = clock_;
  flow.weight = weight;
  flow.member = member;
  if (member) {
    flow.left = amount;
    if (flow_of_member_.size() <= *member) flow_of_member_.resize(*member + 1);
    flow_of_member_[*member] = id;
    flow.unrated = revived;
    if (revived) revived_.push_back(id);
  } else {
    schedule(id);
  }
  return id;
}

void FluidNetwork::reroute(SimTime now, FlowId id, RouteId route) {
  advance_to(now);
  Flow& flow = at(id);
  if (!flow.alive || !flow.member) return;
  const auto cap = max_min_.rate_cap(*flow.member);
  max_min_.remove(*flow.member);
  flow.member = max_min_.insert(route, cap, flow.weight);
  if (flow_of_member_.size() <= *flow.member) flow_of_member_.resize(*flow.member + 1);
  flow_of_member_[*flow.member] = id;
}

FlowId FluidNetwork::new_flow() {
  if (free_ids_.empty()) {
    free_ids_.push_back(static_cast<FlowId>(flows_.size()));
    flows_.emplace_back();
    versions_.push_back(0);
  }
  const FlowId id = free_ids_.back();
  free_ids_.pop_back();
  Flow& flow = flows_[static_cast<std::size_t>(id)];
  flow = Flow{};
  flow.alive = true;
  ++active_;
  return id;
}

FluidNetwork::Flow& FluidNetwork::at(FlowId id) { return flows_[static_cast<std::size_t>(id)]; }

const FluidNetwork::Flow& FluidNetwork::living(FlowId id) const {
  const Flow& flow = flows_.at(static_cast<std::size_t>(id));
  if (!flow.alive) throw std::out_of_range("the flow has completed");
  return flow;
}

Ratio FluidNetwork::rate(FlowId id) {
  solve();
  return living(id).rate;
}

std::optional<ResourceId> FluidNetwork::limiting_resource(FlowId id) {
  solve();
  const Flow& flow = living(id);
  return flow.limit;
}

Ratio FluidNetwork::remaining(FlowId id, SimTime now) {
  advance_to(now);
  solve();
  const Flow& flow = living(id);
  return remaining_after(flow.left, flow.rate, flow.segment_begin, clock_).amount();
}

void FluidNetwork::advance_to(SimTime now) {
  if (now < now_) throw std::logic_error("simulated time decreases");
  if (now == now_ && clock_ == Instant{now}) return;
  const std::optional<SimTime> next = next_end();
  if (next && *next < now) throw std::logic_error("a completion was due before this time");
  run_to(now);
  now_ = now;
  clock_ = Instant{now};
}

/// Ends the flows that are due by `now`, in order of their instants.
void FluidNetwork::run_to(SimTime now) {
  for (auto tick = next_end(); tick && *tick <= now; tick = next_end()) {
    end_first_of(*tick);
    if (clock_ == Instant{now}) return;
  }
}

/// Ends the earliest of the flows that end within one tick.
void FluidNetwork::end_first_of(SimTime tick) {
  due_.clear();
  ends_.take(due_);
  std::erase_if(due_, [&](const End& end) {
    if (!is_current(end)) return true;
    if (at(end.flow).due.visible() == tick) return false;
    announce(end.flow);
    return true;
  });
  const Due* first = &at(due_.front().flow).due;
  for (const End& end : due_) {
    if (at(end.flow).due < *first) first = &at(end.flow).due;
  }
  const Due earliest = *first;
  clock_ = std::max(clock_, earliest.instant());
  for (const End& end : due_) {
    if (at(end.flow).due == earliest) {
      finish(end.flow);
    } else {
      ends_.push(tick, end);
    }
  }
}

void FluidNetwork::solve() {
  if (max_min_.pending()) {
    for (const MaxMin::Member member : max_min_.solve()) {
      const FlowId id = flow_of_member_[member];
      Flow& flow = at(id);
      note_limit(id);
      Ratio rate = max_min_.level(member) * flow.weight;
      if (flow.unrated || !(rate == flow.rate)) begin_segment(id, std::move(rate));
      flow.unrated = false;
    }
    if (ends_.size() > 4 * active_ + 1024) {
      ends_.retain([this](const End& end) { return is_current(end); });
    }
  }
  for (const FlowId id : revived_) {
    Flow& flow = at(id);
    if (!std::exchange(flow.unrated, false)) continue;
    note_limit(id);
    begin_segment(id, max_min_.level(*flow.member) * flow.weight);
  }
  revived_.clear();
}

void FluidNetwork::note_limit(FlowId id) {
  Flow& flow = at(id);
  const auto limit = max_min_.limit(*flow.member);
  if (flow.limit_known && flow.limit == limit) return;
  flow.limit = limit;
  flow.limit_known = true;
  if (!std::exchange(flow.changed, true)) changed_.push_back(id);
}

void FluidNetwork::begin_segment(FlowId id, Ratio rate) {
  Flow& flow = at(id);
  flow.left = remaining_after(flow.left, flow.rate, flow.segment_begin, clock_);
  flow.rate = std::move(rate);
  flow.segment_begin = clock_;
  schedule(id);
}

/// A flow that now ends later keeps its queue entry; next_end() corrects it when it comes up.
void FluidNetwork::schedule(FlowId id) {
  Flow& flow = at(id);
  out_of_range_ -= std::exchange(flow.out_of_range, false) ? 1U : 0U;
  const bool nothing_left = flow.left.units == 0;
  if (flow.rate.is_zero() && !nothing_left) {
    withdraw(id);
    return;
  }
  const auto end =
      nothing_left ? Due{flow.segment_begin.tick, flow.segment_begin.part, flow.segment_begin.parts}
                   : due(flow.left, flow.rate, flow.segment_begin);
  if (!end) {
    withdraw(id);
    flow.out_of_range = true;
    ++out_of_range_;
    return;
  }
  flow.due = *end;
  if (!flow.announced || end->visible() < *flow.announced) announce(id);
}

void FluidNetwork::announce(FlowId id) {
  Flow& flow = at(id);
  flow.announced = flow.due.visible();
  ends_.push(*flow.announced, {id, ++versions_[static_cast<std::size_t>(id)]});
}

void FluidNetwork::withdraw(FlowId id) {
  at(id).announced.reset();
  ++versions_[static_cast<std::size_t>(id)];
}

bool FluidNetwork::is_current(const End& end) const {
  return versions_[static_cast<std::size_t>(end.flow)] == end.version;
}

std::optional<SimTime> FluidNetwork::next_end() {
  solve();
  for (;;) {
    ends_.drop_unwanted([this](const End& end) { return is_current(end); });
    if (ends_.empty()) return std::nullopt;
    const SimTime tick = ends_.next();
    if (at(ends_.front().flow).due.visible() == tick) return tick;
    due_.clear();
    ends_.take(due_);
    for (const End& end : due_) {
      if (is_current(end)) announce(end.flow);
    }
  }
}

std::optional<FluidNetwork::Completion> FluidNetwork::next_completion() {
  if (!ended_.empty()) return Completion{now_};
  const auto tick = next_end();
  if (!tick) return std::nullopt;
  return Completion{*tick};
}

bool FluidNetwork::ends_out_of_range() {
  solve();
  return out_of_range_ > 0;
}

std::vector<FlowId> FluidNetwork::complete(SimTime now) {
  advance_to(now);
  run_to(now);
  std::vector<FlowId> done = std::exchange(ended_, {});
  std::sort(done.begin(), done.end());
  free_ids_.insert(free_ids_.end(), done.begin(), done.end());
  return done;
}

bool FluidNetwork::append_state(FlowId id, SimTime now, std::vector<std::uint64_t>& words) {
  solve();
  const Flow& flow = living(id);
  const auto add = [&](auto word) { words.push_back(static_cast<std::uint64_t>(word)); };
  add(flow.left.units);
  add(flow.left.units >> 64);
  add(flow.left.parts);
  add(flow.segment_begin.tick.count() - now.count());
  add(flow.segment_begin.part);
  add(flow.segment_begin.parts);
  add(flow.rate.numerator());
  add(flow.rate.denominator());
  return flow.rate.is_small();
}

void FluidNetwork::finish(FlowId id) {
  Flow& flow = at(id);
  if (flow.member) max_min_.remove(*flow.member);
  withdraw(id);
  flow.alive = false;
  flow.changed = false;
  ended_.push_back(id);
  --active_;
}

std::vector<FlowId> FluidNetwork::take_changed() {
  solve();
  std::sort(changed_.begin(), changed_.end());
  changed_.erase(std::unique(changed_.begin(), changed_.end()), changed_.end());
  std::vector<FlowId> changed;
  for (const FlowId id : changed_) {
    if (std::exchange(at(id).changed, false)) changed.push_back(id);
  }
  changed_.clear();
  return changed;
}

}  // namespace vgsim
