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

/// An active flow. An id is valid until `complete` has returned it; it may then be reused.
enum class FlowId : std::uint32_t {};

/// Flows of a fluid through shared resources, in simulated time.
///
/// Between two changes (a start, a completion, a capacity change) every flow has the weighted
/// max-min fair rate that max_min.hpp defines and certifies. Rates are rationals, exact while they
/// are short.
///
/// Ends inside the network are not rounded to ticks. A flow ends, and releases its share, at the
/// instant at which its whole amount has been carried, a fraction of a picosecond included. The
/// caller sees the end at the first tick that is not earlier. Starts and capacity changes come from
/// the caller, so they happen on ticks. Instants and remaining amounts are exact fractions while
/// their denominators stay within 2^24, which covers every end on a simple fraction of a tick. A
/// chain of unequal flows outgrows any bound, so beyond it an instant is rounded up to 2^-24 ps and
/// an amount to 2^-24 x 10^-12 of its unit (see instant.hpp). Equal flows are always treated
/// equally, and at given rates a completion differs from the exact one only if that lies within
/// some 2^-24 ps of a tick.
///
/// The caller supplies the time, which must not decrease or pass a completion that is due
/// (std::logic_error). Changes are collected and the rates solved once, before the next query, so
/// that many starts at one tick cost one solution. A flow whose rate did not change keeps its
/// segment and its completion event, and a flow that starts where an equal one ends revives it
/// (MaxMin::revive).
///
/// Special flows: a flow with an amount of 0 ends at its start and uses no capacity; so does a flow
/// without a resource and without a cap. Their rate is reported as 0. A flow that crosses a
/// resource of capacity 0 stalls: rate 0, no completion, limited by that resource. Queries about a
/// completed flow throw std::out_of_range until its id is reused.
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
  /// The same with `routes` in place of those of a network.
  FluidNetwork(const ResourceTable& resources, RouteTable routes);

  ResourceId add_resource(const Ratio& capacity_per_second);
  /// Throws as RouteTable::add does, and std::invalid_argument for an unknown resource.
  RouteId add_route(std::vector<Crossing> crossings);

  /// From `now` on. Throws std::invalid_argument when the capacity is negative.
  void set_capacity(SimTime now, ResourceId resource, const Ratio& capacity_per_second);

  /// Starts to carry `amount` at `now`, at most `rate_cap` per second. A flow of weight w counts as
  /// w flows of weight 1. Throws std::invalid_argument when the amount is negative, the cap is not
  /// positive or the weight is below 1.
  FlowId start_flow(SimTime now, RouteId route, const Ratio& amount,
                    const std::optional<Ratio>& rate_cap = std::nullopt, std::int64_t weight = 1);

  /// The current rate, in amount per second.
  [[nodiscard]] Ratio rate(FlowId flow);

  /// The bottleneck resource of the flow: the lowest id among the saturated resources on which its
  /// rate over weight is the largest; nothing when it runs at its own cap.
  [[nodiscard]] std::optional<ResourceId> limiting_resource(FlowId flow);

  /// The amount left at `now`, which must not precede the last change.
  [[nodiscard]] Ratio remaining(FlowId flow, SimTime now);

  /// The earliest completion (of several at one tick the lowest flow id); nothing when no flow
  /// progresses, or when those that do would end past the representable time.
  [[nodiscard]] std::optional<Completion> next_completion();

  /// Ends every flow whose completion is due at `now` and returns them in ascending order.
  std::vector<FlowId> complete(SimTime now);

  /// The active flows, in ascending order, whose limiting resource may have changed since the last
  /// call, new ones included.
  [[nodiscard]] std::vector<FlowId> take_changed();

  /// Whether a flow progresses but, at its current rate, would end past 106 days.
  [[nodiscard]] bool ends_out_of_range();

  [[nodiscard]] std::size_t active_flows() const { return active_; }

  /// From `now` on the flow uses another route; its remaining amount stays. Not for special flows.
  void reroute(SimTime now, FlowId flow, RouteId route);

  /// Throws as start_flow does.
  static void check_flow(const Ratio& amount, const std::optional<Ratio>& rate_cap,
                         std::int64_t weight);

  /// The same for a flow that passed check_flow, with its amount converted; no cap is nullptr.
  FlowId start_flow(SimTime now, RouteId route, const Remaining& amount, const Ratio* rate_cap,
                    std::int64_t weight);

  /// Appends the state that determines the future of a flow, relative to `now`: flows with equal
  /// words, among other flows with equal words, behave alike. Returns false when the rate does not
  /// fit.
  [[nodiscard]] bool append_state(FlowId flow, SimTime now, std::vector<std::uint64_t>& words);

 private:
  struct Flow {
    Remaining left;  ///< at segment_begin
    Ratio rate;      ///< per second, over the current segment
    Instant segment_begin;
    Due due;
    std::optional<MaxMin::Member> member;  ///< absent for special flows
    std::int64_t weight = 1;
    std::optional<SimTime> announced;  ///< its tick in ends_, at or before its end
    std::optional<ResourceId> limit;
    bool limit_known = false;
    bool out_of_range = false;  ///< progresses, but would end past the representable time
    bool alive = false;
    bool changed = false;  ///< listed in changed_
    bool unrated = false;  ///< listed in revived_
  };
  struct End {  ///< a future completion
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
  std::vector<std::uint32_t> versions_;  ///< by FlowId: of the valid entry of ends_
  std::vector<FlowId> free_ids_;
  std::vector<FlowId> flow_of_member_;
  std::vector<FlowId> changed_;
  std::vector<FlowId> revived_;  ///< revived flows without a rate yet
  std::vector<FlowId> ended_;    ///< not yet returned by complete()
  TickQueue<End> ends_;
  std::vector<End> due_;  ///< scratch
  SimTime now_{};
  Instant clock_;  ///< time of the network: at most now_, at or after the last change
  std::size_t active_ = 0;
  std::size_t out_of_range_ = 0;
};

}  // namespace vgsim
