#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "sim/network.hpp"
#include "sim/ratio.hpp"

namespace vgsim {

/// Weighted max-min fair rates of a changing set of flows, updated incrementally. Rates are exact,
/// except that levels are shortened.
///
/// The problem. Flow f has a rate x_f >= 0, a weight w_f >= 1 and optionally a cap c_f. It takes
/// a_rf * x_f from each resource r that it crosses. Rates must be feasible:
///
///     sum over f of a_rf * x_f <= C_r   for every resource r,      x_f <= c_f.
///
/// The level of f is x_f / w_f. Rates are max-min fair when no flow's level can be raised
/// without lowering the level of a flow whose level is not higher (Bertsekas and Gallager, Data
/// Networks, section 6.5.2). Such rates exist and are unique.
///
/// The certificate. Feasible rates are max-min fair exactly when every flow
///
///     runs at its cap, or has a bottleneck resource: a saturated resource (sum = C_r) on which no
///     flow's level is higher than its own.
///
/// Proof: raising a flow that has a bottleneck resource lowers another flow there, and none of
/// these has a higher level. Conversely, a flow with neither can be raised by taking from flows
/// with higher levels only.
///
/// Water levels. The level L_r of a resource r is the lowest level at which r is full when each of
/// its flows rises to L_r or to m_rf, whichever is lower. m_rf is the lowest other bound of the
/// flow: the levels of its other resources, and its cap over its weight.
///
///     sum over f of a_rf * w_f * min(L_r, m_rf) = C_r,      L_r infinite if that never fills r.
///
/// Then level of f = min(L_r over its resources, its cap over its weight) is max-min fair: the
/// resource of that minimum is the bottleneck. L_r depends only on bounds below L_r. So the lowest
/// level in the network depends on no other level, the next ones only on those below them. This is
/// the order of progressive filling. Re-evaluating every resource whose inputs have changed, in any
/// order, reaches the one solution: each pass fixes the lowest wrong level.
///
/// Short levels. Each level is computed from lower ones, so exact fractions grow without end where
/// many unequal flows meet. A level is therefore shortened (sim/ratio.hpp): L_r is the largest
/// short number that is not above the level at which r is full. Shortening keeps the order of
/// numbers, so the argument about lowest levels still holds and the solution is unique and
/// independent of the order. Error: the result is the exact solution of a network in which
/// the capacity of r is smaller by at most 2^-56 of itself (or by 2^-62 times the sum of its flows'
/// a_rf * w_f, if that is more), as if a link paused for a picosecond every twenty hours.
/// Fractions with denominators up to 65536 are short, so equal shares of round capacities are
/// exact.
///
/// Lazy update. A change affects the equations of the resources that it touches. A resource whose
/// level changes propagates it to the resources that share a flow with it, only where a bound
/// moved below their level. Resources are evaluated in order of level, as in Dijkstra's algorithm,
/// so most are evaluated once (compare G. Ramalingam, T. Reps, An incremental algorithm for a
/// generalization of the shortest-path problem, J. Algorithms 1996). Floating-point numbers only
/// choose that order and decide comparisons whose difference exceeds the rounding error. All close
/// comparisons and all levels are computed exactly.
///
/// Example. C_1 = 10, C_2 = 4; flow A crosses 1, B crosses 1 and 2, weights 1. L_2 = 4 and, with
/// B limited to 4, L_1 = 6: B runs at 4 with bottleneck 2, and A at 6 with bottleneck 1.
class MaxMin {
 public:
  /// A flow in the system. The number is reused after `remove`.
  using Member = std::uint32_t;

  /// Throws std::invalid_argument when a route crosses a resource that does not exist.
  MaxMin(const ResourceTable& resources, RouteTable routes);
  MaxMin() = default;

  ResourceId add_resource(const Ratio& capacity);
  RouteId add_route(std::vector<Crossing> crossings);
  void set_capacity(ResourceId resource, const Ratio& capacity);
  [[nodiscard]] std::span<const Crossing> crossings(RouteId route) const {
    return routes_.crossings(route);
  }

  /// Adds a flow, which needs a crossing or a cap. It has no rate before the next solve. Throws
  /// OverflowError when a coefficient times the weight exceeds 64 bits.
  Member insert(RouteId route, const std::optional<Ratio>& rate_cap, std::int64_t weight);

  /// Removes the flow at the next solve.
  void remove(Member member);

  /// Reuses a removed flow for a new one with the same route, cap and weight, so that no other flow
  /// changes. The flow keeps its rate if all flows that were removed with it are revived before the
  /// next solve. Possible until the next solve. A parked component (see max_min.cpp) can be revived
  /// until another flow enters one of its resources. Returns nothing when no such flow exists.
  std::optional<Member> revive(RouteId route, const Ratio* rate_cap, std::int64_t weight);

  [[nodiscard]] std::optional<Ratio> rate_cap(Member member) const;

  /// Whether the next solve has work to do.
  [[nodiscard]] bool pending() const {
    return !leaving_.empty() || !queue_.empty() || !affected_.empty() ||
           !revived_components_.empty();
  }

  /// Makes all rates max-min fair. Returns the members whose level or limit has changed, in
  /// ascending order; valid until the next change. Throws OverflowError when the weights of the
  /// flows on one resource exceed 64 bits; the object must not be used afterwards.
  std::span<const Member> solve();

  /// Rate over weight, as of the last solve.
  [[nodiscard]] const Ratio& level(Member member) const { return members_[member].level; }
  /// The bottleneck resource with the lowest id; nothing when the flow runs at its cap.
  [[nodiscard]] std::optional<ResourceId> limit(Member member) const {
    return members_[member].limit;
  }

 private:
  static constexpr double kUnlimited = std::numeric_limits<double>::infinity();
  static constexpr std::uint32_t kNone = static_cast<std::uint32_t>(-1);  ///< no bound
  static constexpr std::uint32_t kCap = static_cast<std::uint32_t>(-2);   ///< the flow's own cap

  /// An upper bound on the level of a flow, set by a resource or by the cap.
  struct Bound {
    double height = kUnlimited;  ///< approximately
    std::uint32_t at = kNone;
  };
  /// The data of a flow for evaluation, in one cache line: its two lowest bounds, and the range
  /// [begin, end) of crossed_ that holds its resources.
  struct alignas(64) FlowBounds {
    double first_height = kUnlimited;
    double second_height = kUnlimited;
    double cap_height = kUnlimited;
    double weight = 1;
    std::uint32_t first = kNone;
    std::uint32_t second = kNone;
    std::uint32_t begin = 0;
    std::uint32_t end = 0;

    void set(const Bound& lowest, const Bound& next) {
      first = lowest.at;
      first_height = lowest.height;
      second = next.at;
      second_height = next.height;
    }
    /// The lowest bound other than that of the resource.
    [[nodiscard]] Bound lowest_besides(std::uint32_t resource) const {
      if (first == resource) return {second_height, second};
      return {first_height, first};
    }
  };
  struct ResourceUse {  ///< a flow on a resource
    Member member;
    std::uint32_t crossing;  ///< index among the flow's crossings
    std::int64_t share;      ///< coefficient x weight
  };
  struct Resource {
    Ratio capacity;
    double capacity_approximately = 0;
    Ratio level;  ///< shortened; unspecified while the height is unlimited
    std::vector<ResourceUse> uses;
  };
  struct State {
    RouteId route{};
    std::int64_t weight = 1;
    std::optional<Ratio> cap_level;
    Ratio level;  ///< as of the last solve
    std::optional<ResourceId> limit;
    bool fresh = false;                    ///< not solved yet
    bool leaving = false;                  ///< removed
    std::uint32_t component_id = kNone;    ///< parked component that it belongs to
    std::vector<std::uint32_t> positions;  ///< index into Resource::uses for each crossing
  };
  struct QueueEntry {  ///< a resource that waits for evaluation
    double height;
    std::uint32_t resource;
    friend bool operator<(const QueueEntry& a, const QueueEntry& b) {
      return a.height != b.height ? a.height > b.height : a.resource > b.resource;
    }
  };
  /// Result of filling a resource: the flows that rise to its level, and that level.
  struct Filling {
    std::int64_t demand = 0;  ///< their shares; 0 when all flows are frozen below
    double height = kUnlimited;
    double error = 0;  ///< of height
    double spare = 0;  ///< lower bound on the free capacity when all flows are frozen below
  };

  void add_crossed(RouteId route);
  void check_route(std::span<const Crossing> crossings) const;
  void enqueue(std::uint32_t resource, double height);
  void mark_affected(Member member);
  [[nodiscard]] bool collect_component(Member member, std::uint32_t component);
  void park(Member member);
  void release_component(std::uint32_t component);
  void process_departures();
  void detach(Member member);
  void find_lowest_bounds(Member member);
  bool add_bound(Member member, const Bound& bound);
  [[nodiscard]] const Ratio& height_of(Member member, std::uint32_t bound) const;
  [[nodiscard]] bool lower(Member member, const Bound& a, const Bound& b) const;
  [[nodiscard]] bool still_fits(std::uint32_t resource, double more);
  [[nodiscard]] Filling fill_approximately(const Resource& resource, std::uint32_t id);
  [[nodiscard]] bool fill_exactly(const Resource& resource, Filling& filling, Ratio& level);
  void evaluate(std::uint32_t resource);
  void propagate(std::uint32_t resource);
  void bound_moved(std::uint32_t crossing, std::uint32_t moved, const FlowBounds& before,
                   const FlowBounds& after);
  void publish();

  RouteTable routes_;
  std::vector<std::uint32_t> crossed_;       ///< the resources of each route, concatenated
  std::vector<double> coefficients_;         ///< of these crossings
  std::vector<std::uint32_t> crossed_from_;  ///< by RouteId
  std::vector<Resource> resources_;
  std::vector<double> heights_;     ///< by resource: its level, approximately
  std::vector<double> spare_;       ///< by resource: lower bound on free capacity while unlimited
  std::vector<double> queued_at_;   ///< by resource: height in queue_; kUnlimited when not queued
  std::vector<FlowBounds> bounds_;  ///< by Member
  std::vector<State> members_;
  std::vector<std::uint8_t> is_affected_;             ///< by Member
  std::vector<std::vector<Member>> components_;       ///< parked flows, by component
  std::vector<std::uint32_t> component_of_resource_;  ///< kNone without one
  std::vector<std::uint32_t> free_components_;        ///< unused indices of components_
  std::vector<std::uint32_t> revived_components_;     ///< components with a revived flow
  std::vector<Member> vacant_;
  std::vector<Member> leaving_;
  std::vector<std::vector<Member>> leaving_on_;  ///< by RouteId; may hold revived members
  std::vector<QueueEntry> queue_;                ///< a heap
  std::vector<Member> affected_;
  std::vector<Member> changed_;
  std::vector<Bound>
      other_bounds_;  ///< scratch: the other bound of each use of the current resource
  std::vector<std::uint8_t> frozen_;  ///< scratch: flows frozen below the level of the resource
};

}  // namespace vgsim
