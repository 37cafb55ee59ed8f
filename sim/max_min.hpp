#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/exact.hpp"
#include "sim/network.hpp"
#include "sim/ratio.hpp"
#include "sim/water_filling.hpp"

namespace vgsim {

/// Weighted max-min fair rates of a changing set of flows, exact, re-solved only where needed.
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
/// Solving locally. Since the certificate proves a solution and solutions are unique, it does not
/// matter how one is found. After a change only a set S of flows is filled anew (water_fill) in
/// what the others, held at their old rates, leave free. S starts as the new flows, those that
/// a changed resource held back, and all flows on a resource that is now overfull. Then the
/// certificate is checked on every touched resource. A held flow that fails it joins S; for a
/// flow of S that fails it, the held flows with higher levels on its saturated resources join.
/// Repeat until all pass: S grows each time, so this ends, at the latest with all flows in S.
/// Two flows that share no resource, not even through others, never meet in this.
///
/// Example. C_1 = 10, C_2 = 4; flow A crosses 1, B crosses 1 and 2, weights 1. Water rises to
/// level 4, where 2 is full: B = 4, held back by 2. A rises on to 6, held back by 1.
class MaxMin {
 public:
  /// A flow in the system: a slot that is reused after `remove`.
  using Member = std::uint32_t;

  /// Throws std::invalid_argument when a route crosses a resource that does not exist.
  MaxMin(const ResourceTable& resources, RouteTable routes);
  MaxMin() = default;

  ResourceId add_resource(const Exact& capacity);
  RouteId add_route(std::vector<Crossing> crossings);
  void set_capacity(ResourceId resource, const Exact& capacity);
  [[nodiscard]] std::span<const Crossing> crossings(RouteId route) const {
    return routes_.crossings(route);
  }

  /// A flow needs a crossing or a cap. It has no rate before the next solve. Throws
  /// OverflowError when a coefficient times the weight leaves 64 bits.
  Member insert(RouteId route, const std::optional<Exact>& rate_cap, std::int64_t weight);
  void remove(Member member);

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
  struct Place {  // a flow on a resource
    Member member;
    std::uint32_t crossing;  // which of the flow's crossings it is
  };
  struct Resource {
    Ratio capacity;
    Ratio load;     // sum of coefficient x rate over its flows
    Ratio highest;  // the highest level of its flows; 0 without any
    bool saturated = false;
    bool touched = false;
    std::size_t local = kNone;  // its number in the FillProblem at hand
    std::vector<Place> places;
  };
  struct State {
    RouteId route{};
    std::int64_t weight = 1;
    std::optional<Ratio> cap_level;
    Ratio level;
    std::optional<ResourceId> limit;
    Ratio level_before;  // at the last solve, where `noted`
    std::optional<ResourceId> limit_before;
    bool noted = false;
    bool refilled = false;             // in S
    std::vector<std::uint32_t> seats;  // index into Resource::places of each crossing
  };
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  void check_route(std::span<const Crossing> crossings) const;
  void touch(ResourceId resource);
  void note(Member member);
  bool refill_also(Member member);
  void choose_seeds();
  void fill();
  [[nodiscard]] FillProblem pose();
  void measure_touched();
  [[nodiscard]] bool certify(Member member);
  [[nodiscard]] bool widen();
  [[nodiscard]] bool widen_held(ResourceId resource);
  [[nodiscard]] bool widen_above(Member member);
  void prefer_lower_limits();
  void collect_changes();

  [[nodiscard]] Resource& at(ResourceId id) { return resources_[static_cast<std::size_t>(id)]; }

  RouteTable routes_;
  std::vector<Resource> resources_;
  std::vector<State> members_;
  std::vector<Member> vacant_;
  std::vector<ResourceId> touched_;  // to be checked in the next or current solve
  std::vector<Member> refilled_;     // S
  std::vector<Member> noted_;
  std::vector<Member> changed_;
};

}  // namespace vgsim
