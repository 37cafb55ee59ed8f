#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "models/collectives/nccl/transports.hpp"

namespace vgsim::collectives::nccl {

/// Start or end of a search path: a GPU, a NET or the NVSwitch, numbered in this order.
using Point = std::uint32_t;

/// A path prepared for repeated use by the search.
struct Way {
  PathType type = PathType::kDis;
  float bandwidth = 0;  ///< GB/s
  int hops = 0;
  std::uint32_t first_step = 0;  ///< in Capacity
  bool simple = false;           ///< no link is charged twice
  bool wide = false;             ///< a link is too wide for exact thousandths in a float
};

/// The remaining capacity of every link and NET while channels are placed.
///
/// Capacities are floats rounded to 1/1000 GB/s after each change, as in NCCL, so taking and
/// returning a path can change them. If a link has whole thousandths, as after its first change,
/// and a whole number of them is taken, as in most cases, rounding changes nothing: then integers
/// are used.
class Capacity {
 public:
  Capacity(const Connected& connected, const Rules& rules);

  [[nodiscard]] Point gpu(int index) const { return static_cast<Point>(index); }
  [[nodiscard]] Point net(int index) const { return gpus_ + static_cast<Point>(index); }
  [[nodiscard]] Point nv_switch() const { return points_ - 1; }
  [[nodiscard]] bool is_net(Point point) const { return point >= gpus_ && point < gpus_ + nets_; }
  [[nodiscard]] const Way& way(Point from, Point to) const { return ways_[from * points_ + to]; }

  /// Takes `bandwidth` from each link of the path; from none if a link has less.
  [[nodiscard]] bool take(const Way& way, float bandwidth);
  void give_back(const Way& way, float bandwidth);

  /// Remaining capacity of the GPU's PCI link, the smaller direction; -1 without a PCI link.
  [[nodiscard]] float pci_left(int gpu) const;

  /// The worst existing path type up to `limit` between GPUs (and the NVSwitch), or between GPUs
  /// and NETs: limits in between are equivalent. kLoc if there is none.
  [[nodiscard]] PathType effective_limit(PathType limit, bool intra) const;
  /// Remaining capacity of the links, in the order of Graph::links.
  [[nodiscard]] std::vector<float> links_left() const;
  /// Appends words that are equal for equal remaining capacity of all links and NETs.
  void add_left(std::vector<std::int32_t>& state) const;
  /// The number of paths that were followed with floats: without any, returned capacity is exact.
  [[nodiscard]] std::uint64_t walks() const { return walks_; }

  [[nodiscard]] float net_left(int net) const { return net_left_[static_cast<std::size_t>(net)]; }
  /// Changes the remaining capacity of all NETs that share this one's port.
  void change_net(int net, float bandwidth);

 private:
  /// One link of a path and its charges beyond the bandwidth itself.
  struct Step {
    LinkId link = 0;
    LinkId reverse = 0;
    bool pci_overhead = false;  ///< 6/5 of the bandwidth
    bool back_eighth = false;   ///< 1/8 of it in the other direction
    bool back_full = false;     ///< the same in the other direction
  };

  /// The charge of a step on its link and on the other direction.
  struct Charge {
    float forward = 0;
    float backward = 0;
  };
  /// The same for one link.
  struct WholeCharge {
    LinkId link = 0;
    std::int32_t thousandths = 0;
  };
  /// The cost of a path at the speed that was last used.
  struct Price {
    float bandwidth = -1;
    bool counts = false;               ///< rounding does not change whole thousandths
    std::vector<WholeCharge> charges;  ///< used if `counts`
  };
  [[nodiscard]] static Charge charge_of(const Step& step, float bandwidth);
  void add_way(NodeId from, const Path& path, const Rules& rules);
  void find_price(const Way& way, float bandwidth, Price& price) const;
  /// The cost in thousandths; nullptr if floats must be used.
  [[nodiscard]] const Price* counted(const Way& way, float bandwidth);
  [[nodiscard]] float left(LinkId link) const;
  void charge(LinkId link, float bandwidth);
  [[nodiscard]] int walk(const Way& way, int steps, float bandwidth);

  const Graph& graph_;
  Point gpus_ = 0, nets_ = 0, points_ = 0;
  std::vector<Way> ways_;  ///< [from][to]
  std::vector<Step> steps_;
  std::vector<Price> prices_;  ///< of ways_
  static constexpr std::int32_t kInexact = std::numeric_limits<std::int32_t>::min();
  /// remaining thousandths by link; kInexact if `inexact_` is used
  std::vector<std::int32_t> whole_;
  std::vector<float> inexact_;   ///< capacity of unchanged links, in GB/s
  bool wide_in_eighths_ = true;  ///< remaining capacity of wide links
  std::uint64_t walks_ = 0;
  std::vector<std::vector<LinkId>> pci_;  ///< [GPU]: its first PCI link, both directions
  std::vector<float> net_left_;
};

}  // namespace vgsim::collectives::nccl
