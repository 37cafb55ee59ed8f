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

/// Weighted max-min fair rates of a changing set of flows, re-solved only where needed; exact, but
/// that levels are kept short.
///
/// The problem. Flow f has a rate x_f >= 0, a weight w_f >= 1, perhaps a cap c_f, and takes
/// a_rf * x_f from each resource r that it crosses. Rates must fit:
///
///     sum over f of a_rf * x_f <= C_r   for every resource r,      x_f <= c_f.
///
/// Call x_f / w_f the level of f. Rates are max-min fair when no flow's level can be raised
/// without lowering that of a flow whose level is not higher (Bertsekas and Gallager, Data
/// Networks, section 6.5.2). Such rates exist and are unique.
///
/// The certificate. Rates that fit are max-min fair exactly when every flow
///
///     runs at its cap, or crosses a saturated resource (sum = C_r) on which no flow's level is
///     higher than its own.
///
/// Why: to raise such a flow, another on that resource must give way, and none there has a higher
/// level. Conversely a flow without a cap or resource like that could be raised by taking only
/// from flows with higher levels. The resource that the certificate names holds the flow back.
///
/// Water levels. Give each resource r the lowest level L_r at which it is full when each of its
/// flows rises to L_r or to the lowest of its other obstacles m_rf (the levels of its other
/// resources, its cap over its weight), whichever is lower:
///
///     sum over f of a_rf * w_f * min(L_r, m_rf) = C_r,      L_r infinite if that never fills r.
///
/// Then level of f = min(L_r over its resources, its cap over its weight) is max-min fair: the
/// resource of that minimum is the certificate. L_r depends only on obstacles below L_r. So the
/// lowest level in the network needs no other to be right, the next ones only those below them,
/// and re-evaluating, in any order, whatever its inputs have moved away from reaches the one
/// solution: each sweep over what is wrong fixes the lowest wrong level for good.
///
/// Short levels. Each level is made of lower ones, so that exact fractions grow without end where
/// many unequal flows meet. A level is therefore shortened (sim/ratio.hpp): L_r is the largest
/// short number that is not above the level at which r is full. Since shortening keeps the order of
/// numbers, all that is said above of lowest levels holds for these too, and so there is one
/// solution, whatever the order. What it is off by: it is the exact solution of a network in which
/// the capacity of r is smaller by at most 2^-56 of itself (or by 2^-62 times the sum of its flows'
/// a_rf * w_f, if that is more), as if a link stood still for a picosecond every twenty hours.
/// Fractions of denominators up to 65536 are short, so that equal shares of round capacities are
/// exact.
///
/// Solving locally. A change moves the equation of the resources that it touches. A resource whose
/// level moves hands that on to those that share a flow with it, and only where an obstacle moved
/// below their level. They are taken in order of level, as in Dijkstra's algorithm, so that most
/// are evaluated once (compare G. Ramalingam, T. Reps, An incremental algorithm for a
/// generalization of the shortest-path problem, J. Algorithms 1996). Floating-point numbers only
/// choose that order and settle comparisons that are clear beyond their error; all close
/// comparisons and what levels are made of are exact.
///
/// Example. C_1 = 10, C_2 = 4; flow A crosses 1, B crosses 1 and 2, weights 1. L_2 = 4 and, with
/// B held at 4, L_1 = 6: B runs at 4, held back by 2, and A at 6, held back by 1.
class MaxMin {
 public:
  /// A flow in the system: a slot that is reused after `remove`.
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

  /// A flow needs a crossing or a cap. It has no rate before the next solve. Throws
  /// OverflowError when a coefficient times the weight leaves 64 bits.
  Member insert(RouteId route, const std::optional<Ratio>& rate_cap, std::int64_t weight);

  /// Takes the flow out with the next solve.
  void remove(Member member);

  /// Hands the place of a flow that was removed to one that takes the same route with the same cap
  /// and weight, so that for everybody else nothing changes; the member's rate stands if all
  /// that were removed with it come back before the next solve. Possible until the next solve and,
  /// where all on the route's resources, on theirs and so on were removed at once, until somebody
  /// else comes. Nothing when there is none.
  std::optional<Member> take_over(RouteId route, const Ratio* rate_cap, std::int64_t weight);

  [[nodiscard]] std::optional<Ratio> rate_cap(Member member) const;

  /// Whether the next solve has anything to do.
  [[nodiscard]] bool pending() const {
    return !leaving_.empty() || !queue_.empty() || !touched_.empty() || !woken_.empty();
  }

  /// Makes all rates max-min fair. Throws OverflowError, and is then of no further use, when the
  /// flows on one resource together weigh more than 64 bits hold. Returns the members whose level
  /// or limit is new, in ascending order; valid until the next change.
  std::span<const Member> solve();

  /// Rate over weight, as of the last solve.
  [[nodiscard]] const Ratio& level(Member member) const { return members_[member].level; }
  /// The lowest resource that certifies the flow; nothing when it runs at its cap.
  [[nodiscard]] std::optional<ResourceId> limit(Member member) const {
    return members_[member].limit;
  }

 private:
  static constexpr double kUnlimited = std::numeric_limits<double>::infinity();
  static constexpr std::uint32_t kNone = static_cast<std::uint32_t>(-1);  ///< nothing
  static constexpr std::uint32_t kCap = static_cast<std::uint32_t>(-2);   ///< the flow's own cap

  /// Where a flow may be held back: a resource, its cap or nowhere, and how high that is.
  struct Obstacle {
    double height = kUnlimited;  ///< approximately
    std::uint32_t at = kNone;
  };
  /// What the search reads of a flow, in one cache line: its two lowest obstacles, and [begin, end)
  /// of crossed_, the resources on its way.
  struct alignas(64) Held {
    double first_height = kUnlimited;
    double second_height = kUnlimited;
    double cap_height = kUnlimited;
    double weight = 1;
    std::uint32_t first = kNone;
    std::uint32_t second = kNone;
    std::uint32_t begin = 0;
    std::uint32_t end = 0;

    /// The lowest obstacle other than the resource.
    [[nodiscard]] Obstacle besides(std::uint32_t resource) const {
      if (first == resource) return {second_height, second};
      return {first_height, first};
    }
  };
  struct Place {  ///< a flow on a resource
    Member member;
    std::uint32_t crossing;  ///< which of the flow's crossings it is
    std::int64_t share;      ///< coefficient x weight
  };
  struct Resource {
    Ratio capacity;
    double capacity_approximately = 0;
    Ratio level;  ///< shortened; meaningless while height is unlimited
    std::vector<Place> places;
  };
  struct State {
    RouteId route{};
    std::int64_t weight = 1;
    std::optional<Ratio> cap_level;
    Ratio level;  ///< as of the last solve
    std::optional<ResourceId> limit;
    bool fresh = false;            ///< never solved
    bool leaving = false;          ///< removed
    std::uint32_t haunts = kNone;  ///< removed before the last solve, but still there: with whom
    std::vector<std::uint32_t> seats;  ///< index into Resource::places of each crossing
  };
  struct Turn {  ///< a resource that waits to be evaluated
    double height;
    std::uint32_t resource;
    friend bool operator<(const Turn& a, const Turn& b) {
      return a.height != b.height ? a.height > b.height : a.resource > b.resource;
    }
  };
  /// The flows on a resource that rise to its own level, and how high that is.
  struct Filling {
    std::int64_t demand = 0;  ///< their shares; 0 when all flows stop below
    double height = kUnlimited;
    double error = 0;  ///< of height
    double spare = 0;  ///< what is free when all stop below, at least
  };

  void add_crossed(RouteId route);
  void check_route(std::span<const Crossing> crossings) const;
  void enqueue(std::uint32_t resource, double height);
  void touch(Member member);
  [[nodiscard]] bool gather_ghosts(Member member, std::uint32_t company);
  void haunt(Member member);
  void evict(std::uint32_t company);
  void settle_departures();
  void leave(Member member);
  void find_obstacles(Member member);
  bool add_obstacle(Member member, const Obstacle& obstacle);
  [[nodiscard]] const Ratio& height_of(Member member, std::uint32_t obstacle) const;
  [[nodiscard]] bool lower(Member member, const Obstacle& a, const Obstacle& b) const;
  [[nodiscard]] bool still_fits(std::uint32_t resource, double more);
  [[nodiscard]] Filling pour(const Resource& resource, std::uint32_t id);
  [[nodiscard]] bool settle(const Resource& resource, Filling& filling, Ratio& level);
  void evaluate(std::uint32_t resource);
  void hand_on(std::uint32_t resource);
  void move_obstacle(std::uint32_t crossing, std::uint32_t moved, const Held& before,
                     const Held& after);
  void publish();

  RouteTable routes_;
  std::vector<std::uint32_t> crossed_;       ///< the resources of each route, one after the other
  std::vector<double> coefficients_;         ///< of those crossings
  std::vector<std::uint32_t> crossed_from_;  ///< by RouteId
  std::vector<Resource> resources_;
  std::vector<double> heights_;    ///< of the resources' levels, approximately
  std::vector<double> spare_;      ///< of unlimited resources: free at least
  std::vector<double> queued_at_;  ///< kUnlimited for those that do not wait
  std::vector<Held> held_;         ///< by Member
  std::vector<State> members_;
  std::vector<std::uint8_t> is_touched_;     ///< by Member
  std::vector<std::vector<Member>> ghosts_;  ///< by company, of those who went at once
  std::vector<std::uint32_t> haunted_by_;    ///< by resource: the company on it, or kNone
  std::vector<std::uint32_t> no_company_;    ///< indices of ghosts_ that are free
  std::vector<std::uint32_t> woken_;         ///< companies of whom somebody was taken over
  std::vector<Member> vacant_;
  std::vector<Member> leaving_;
  std::vector<std::vector<Member>> leaving_on_;  ///< by RouteId; may hold members taken over
  std::vector<Turn> queue_;                      ///< a heap
  std::vector<Member> touched_;
  std::vector<Member> changed_;
  std::vector<Obstacle> others_;       ///< scratch: of each place of the resource at hand
  std::vector<std::uint8_t> stopped_;  ///< scratch: which of them stop below its level
};

}  // namespace vgsim
