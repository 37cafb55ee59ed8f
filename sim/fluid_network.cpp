#include "sim/fluid_network.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

namespace vgsim {
namespace {

using Integer = boost::multiprecision::cpp_int;

/// The whole picoseconds that `left` (amount x 10^12) takes at a positive rate per second.
Integer ticks_for(const Exact& left, const Exact& rate) {
  const Integer above =
      boost::multiprecision::numerator(left) * boost::multiprecision::denominator(rate);
  const Integer below =
      boost::multiprecision::denominator(left) * boost::multiprecision::numerator(rate);
  return (above + below - 1) / below;
}

}  // namespace

FluidNetwork::FluidNetwork(const Network& network) : max_min_(network.resources, network.routes) {}

ResourceId FluidNetwork::add_resource(const Exact& capacity_per_second) {
  return max_min_.add_resource(capacity_per_second);
}

RouteId FluidNetwork::add_route(std::vector<Crossing> crossings) {
  return max_min_.add_route(std::move(crossings));
}

void FluidNetwork::set_capacity(SimTime now, ResourceId resource,
                                const Exact& capacity_per_second) {
  advance_to(now);
  max_min_.set_capacity(resource, capacity_per_second);
}

FlowId FluidNetwork::start_flow(SimTime now, RouteId route, const Exact& amount,
                                const std::optional<Exact>& rate_cap, std::int64_t weight) {
  if (amount < 0) throw std::invalid_argument("a flow's amount is negative");
  if (rate_cap && *rate_cap <= 0) throw std::invalid_argument("a flow's rate cap is not positive");
  if (weight < 1) throw std::invalid_argument("a flow's weight is below 1");
  const bool free = max_min_.crossings(route).empty() && !rate_cap;
  advance_to(now);
  std::optional<MaxMin::Member> member;
  if (!free && amount > 0) member = max_min_.insert(route, rate_cap, weight);
  const FlowId id = new_flow();
  Flow& flow = at(id);
  flow.segment_begin = now;
  flow.weight = weight;
  flow.member = member;
  if (member) {
    flow.left = amount * kPicosecondsPerSecond;
    if (flow_of_member_.size() <= *member) flow_of_member_.resize(*member + 1);
    flow_of_member_[*member] = id;
  } else {
    flow.event = completions_.push(now, 0, static_cast<std::uint32_t>(id));
  }
  return id;
}

FlowId FluidNetwork::new_flow() {
  if (free_ids_.empty()) {
    free_ids_.push_back(static_cast<FlowId>(flows_.size()));
    flows_.emplace_back();
  }
  const FlowId id = free_ids_.back();
  free_ids_.pop_back();
  at(id) = Flow{};
  flows_[static_cast<std::size_t>(id)].alive = true;
  ++active_;
  return id;
}

FluidNetwork::Flow& FluidNetwork::at(FlowId id) { return flows_.at(static_cast<std::size_t>(id)); }

const FluidNetwork::Flow& FluidNetwork::living(FlowId id) const {
  const Flow& flow = flows_.at(static_cast<std::size_t>(id));
  if (!flow.alive) throw std::out_of_range("the flow has completed");
  return flow;
}

Exact FluidNetwork::rate(FlowId id) {
  solve();
  return living(id).rate;
}

std::optional<ResourceId> FluidNetwork::limiting_resource(FlowId id) {
  solve();
  const Flow& flow = living(id);
  return flow.member ? max_min_.limit(*flow.member) : std::nullopt;
}

Exact FluidNetwork::remaining(FlowId id, SimTime now) {
  advance_to(now);
  solve();
  const Flow& flow = living(id);
  const Exact left = flow.left - flow.rate * (now - flow.segment_begin).count();
  return left < 0 ? Exact(0) : Exact(left / kPicosecondsPerSecond);
}

void FluidNetwork::advance_to(SimTime now) {
  if (now == now_) return;
  if (now < now_) throw std::logic_error("simulated time runs backwards");
  const std::optional<Completion> next = next_completion();
  if (next && next->at < now) throw std::logic_error("a completion was due before this time");
  now_ = now;
}

void FluidNetwork::solve() {
  for (const MaxMin::Member member : max_min_.solve()) {
    const FlowId id = flow_of_member_[member];
    Flow& flow = at(id);
    if (!std::exchange(flow.changed, true)) changed_.push_back(id);
    Exact rate = (max_min_.level(member) * flow.weight).exact();
    if (rate != flow.rate) begin_segment(id, std::move(rate));
  }
  if (completions_.size() > 2 * active_ + 64) {
    completions_.retain([this](const Event& event) { return is_current(event); });
  }
}

void FluidNetwork::begin_segment(FlowId id, Exact rate) {
  Flow& flow = at(id);
  flow.left -= flow.rate * (now_ - flow.segment_begin).count();
  if (flow.left < 0) flow.left = 0;  // carried within the current tick, which is due now
  flow.rate = std::move(rate);
  flow.segment_begin = now_;
  schedule(id);
}

void FluidNetwork::schedule(FlowId id) {
  Flow& flow = at(id);
  out_of_range_ -= std::exchange(flow.out_of_range, false) ? 1U : 0U;
  flow.event = 0;
  if (flow.rate.is_zero() && !flow.left.is_zero()) return;
  const Integer end =
      now_.count() + (flow.left.is_zero() ? Integer(0) : ticks_for(flow.left, flow.rate));
  if (end > std::numeric_limits<std::int64_t>::max()) {
    flow.out_of_range = true;
    ++out_of_range_;
    return;
  }
  flow.event =
      completions_.push(SimTime{static_cast<std::int64_t>(end)}, 0, static_cast<std::uint32_t>(id));
}

bool FluidNetwork::is_current(const Event& event) const {
  return flows_[event.id].event == event.sequence;
}

void FluidNetwork::drop_stale_events() {
  while (!completions_.empty() && !is_current(completions_.top())) completions_.pop();
}

std::optional<FluidNetwork::Completion> FluidNetwork::next_completion() {
  solve();
  drop_stale_events();
  if (completions_.empty()) return std::nullopt;
  return Completion{completions_.top().time, static_cast<FlowId>(completions_.top().id)};
}

bool FluidNetwork::ends_out_of_range() {
  solve();
  return out_of_range_ > 0;
}

std::vector<FlowId> FluidNetwork::complete(SimTime now) {
  advance_to(now);
  solve();
  std::vector<FlowId> done;
  for (drop_stale_events(); !completions_.empty() && completions_.top().time == now;
       drop_stale_events()) {
    done.push_back(static_cast<FlowId>(completions_.pop().id));
  }
  for (const FlowId id : done) finish(id);
  return done;
}

void FluidNetwork::finish(FlowId id) {
  Flow& flow = at(id);
  if (flow.member) max_min_.remove(*flow.member);
  flow.event = 0;
  flow.alive = false;
  flow.changed = false;
  free_ids_.push_back(id);
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
