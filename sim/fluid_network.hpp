#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/instant.hpp"
#include "sim/max_min.hpp"
#include "sim/network.hpp"
#include "sim/ratio.hpp"
#include "sim/tick_queue.hpp"
#include "sim/units.hpp"

namespace vgsim {

/// A flow under way. An id is valid until `complete` has returned it; it may then be reused.
enum class FlowId : std::uint32_t {};

/// Flows of a fluid through shared resources, in simulated time.
///
/// Between two changes (a start, a completion, a capacity change) every flow moves at the
/// weighted max-min fair rate that max_min.hpp defines and certifies. Rates are rationals, exact
/// while they are short.
///
/// What happens inside the network does not wait for ticks. A flow ends, and gives its share to
/// others, at the very instant at which its whole amount has been carried, a fraction of a
/// picosecond included; the caller sees the end at the first tick that is not earlier. Starts and
/// capacity changes come from outside, so they happen on ticks. Instants and remaining amounts are
/// exact fractions while their denominators stay within 2^24, which covers every end that falls on
/// a simple fraction of a tick; a chain of unequal flows outgrows any bound, so beyond it an
/// instant is rounded up to 2^-24 ps and an amount to 2^-24 x 10^-12 of its unit (see
/// instant.hpp). Equal flows are always treated equally, and at given rates a completion differs
/// from the exact one only if that lies within some 2^-24 ps of a tick.
///
/// Time is given by the caller and may not run backwards or past a completion that is due
/// (std::logic_error). Changes are collected and the rates solved once, before the next question,
/// so that many starts at one tick cost one solution. A flow whose rate did not change keeps its
/// segment and its completion event, and one that starts where an equal one ends takes its place.
///
/// Special flows: an amount of 0 ends at its start and takes nothing from anyone; so does a flow
/// that no resource and no cap holds back. Their rate is reported as 0. A flow that crosses a
/// resource of capacity 0 stands still: rate 0, no completion, limited by that resource.
/// Questions about a flow that has completed throw std::out_of_range, as long as its id is idle.
class FluidNetwork {
 public:
  /// The next end of a flow.
  struct Completion {
    SimTime at{};
  };

  FluidNetwork() = default;
  /// Capacity changes listed in `network` are not applied: call set_capacity when they fall due.
  /// Throws std::invalid_argument when a route crosses a resource that does not exist.
  explicit FluidNetwork(const Network& network);
  /// The same with routes of its own in place of the network's.
  FluidNetwork(const ResourceTable& resources, RouteTable routes);

  ResourceId add_resource(const Ratio& capacity_per_second);
  /// Throws as RouteTable::add does, and std::invalid_argument for an unknown resource.
  RouteId add_route(std::vector<Crossing> crossings);

  /// From `now` on. Throws std::invalid_argument when the capacity is negative.
  void set_capacity(SimTime now, ResourceId resource, const Ratio& capacity_per_second);

  /// Starts to carry `amount` at `now`, never faster than `rate_cap` per second. A flow of weight
  /// w counts as w flows of weight 1. Throws std::invalid_argument when the amount is negative,
  /// the cap is not positive or the weight is below 1.
  FlowId start_flow(SimTime now, RouteId route, const Ratio& amount,
                    const std::optional<Ratio>& rate_cap = std::nullopt, std::int64_t weight = 1);

  /// The current rate, in amount per second.
  [[nodiscard]] Ratio rate(FlowId flow);

  /// The resource that holds the flow back: the lowest id among the saturated ones on which its
  /// rate over weight is the largest; nothing when it moves at its own cap.
  [[nodiscard]] std::optional<ResourceId> limiting_resource(FlowId flow);

  /// What is left to carry at `now`, which may not precede the last change.
  [[nodiscard]] Ratio remaining(FlowId flow, SimTime now);

  /// The earliest completion (of several at one tick the lowest flow id); nothing when no flow
  /// moves, or when those that do would end past the representable time.
  [[nodiscard]] std::optional<Completion> next_completion();

  /// Ends every flow whose completion is due at `now` and returns them in ascending order.
  std::vector<FlowId> complete(SimTime now);

  /// The flows, in ascending order, whose limiting resource may have changed since the last call,
  /// without those that have completed. New flows that move or stand still count.
  [[nodiscard]] std::vector<FlowId> take_changed();

  /// True when some flow moves but, at its current rate, would end past 106 days.
  [[nodiscard]] bool ends_out_of_range();

  [[nodiscard]] std::size_t active_flows() const { return active_; }

  /// From `now` on the flow takes another route; what it has left stays. Not for special flows.
  void reroute(SimTime now, FlowId flow, RouteId route);

  /// Throws as start_flow does.
  static void check_flow(const Ratio& amount, const std::optional<Ratio>& rate_cap,
                         std::int64_t weight);

  /// The same for a flow that was checked, and its amount made ready, before; no cap is nullptr.
  FlowId start_flow(SimTime now, RouteId route, const Remaining& amount, const Ratio* rate_cap,
                    std::int64_t weight);

  /// What decides the future of a flow, seen from `now`: two flows for which it adds the same
  /// words, among others for which that holds too, behave alike. Returns false when the rate is
  /// too large a fraction to be written down.
  [[nodiscard]] bool describe(FlowId flow, SimTime now, std::vector<std::uint64_t>& words);

 private:
  struct Flow {
    Remaining left;  ///< at segment_begin
    Ratio rate;      ///< per second, over the current segment
    Instant segment_begin;
    Due due;
    std::optional<MaxMin::Member> member;  ///< absent for special flows
    std::int64_t weight = 1;
    std::optional<SimTime> announced;  ///< the tick it has in ends_, at or before its end
    std::optional<ResourceId> limit;
    bool limit_known = false;
    bool out_of_range = false;  ///< moves, but would end past the representable time
    bool alive = false;
    bool changed = false;  ///< listed in changed_
    bool unrated = false;  ///< listed in took_over_
  };
  struct End {  ///< a completion that lies ahead
    FlowId flow{};
    std::uint32_t version = 0;
  };

  void advance_to(SimTime now);
  void run_to(SimTime now);
  void end_first_of(SimTime tick);
  void solve();
  void begin_segment(FlowId id, Ratio rate);
  void schedule(FlowId id);
  void note_limit(FlowId id);
  void announce(FlowId id);
  void withdraw(FlowId id);
  void finish(FlowId id);
  [[nodiscard]] bool is_current(const End& end) const;
  [[nodiscard]] std::optional<SimTime> next_end();
  [[nodiscard]] FlowId new_flow();
  [[nodiscard]] Flow& at(FlowId id);
  [[nodiscard]] const Flow& living(FlowId id) const;

  MaxMin max_min_;
  std::vector<Flow> flows_;
  std::vector<std::uint32_t> versions_;  ///< by FlowId: of the entry of ends_ that counts
  std::vector<FlowId> free_ids_;
  std::vector<FlowId> flow_of_member_;
  std::vector<FlowId> changed_;
  std::vector<FlowId> took_over_;  ///< flows in the place of another, not rated yet
  std::vector<FlowId> ended_;      ///< ended, not yet fetched by complete()
  TickQueue<End> ends_;
  std::vector<End> due_;  ///< scratch
  SimTime now_{};
  Instant clock_;  ///< of the network itself: not past now_, not before the last change
  std::size_t active_ = 0;
  std::size_t out_of_range_ = 0;
};

}  // namespace vgsim
