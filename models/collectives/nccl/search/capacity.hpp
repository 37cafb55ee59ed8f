#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "models/collectives/nccl/transports.hpp"

namespace vgsim::collectives::nccl {

/// Where a search goes from and to: a GPU, a NET or the NVSwitch, numbered in this order.
using Point = std::uint32_t;

/// A path in the form that the search takes many times.
struct Way {
  PathType type = PathType::kDis;
  float bandwidth = 0;  ///< GB/s
  int hops = 0;
  std::uint32_t first_step = 0;  ///< in Capacity
  bool simple = false;           ///< no link is charged twice
  bool wide = false;             ///< a link on it is wider than whose thousandths a float holds
};

/// What is left of every link and NET while channels are laid over them.
///
/// Amounts are floats that are rounded to 1/1000 GB/s after each change, as NCCL does it: taking a
/// path and giving it back may leave a trace. Where a link holds whole thousandths, as each does
/// once it was changed, and a number of them is taken, as nearly always, rounding changes nothing:
/// they are counted as integers then.
class Capacity {
 public:
  Capacity(const Connected& connected, const Rules& rules);

  [[nodiscard]] Point gpu(int index) const { return static_cast<Point>(index); }
  [[nodiscard]] Point net(int index) const { return gpus_ + static_cast<Point>(index); }
  [[nodiscard]] Point nv_switch() const { return points_ - 1; }
  [[nodiscard]] bool is_net(Point point) const { return point >= gpus_ && point < gpus_ + nets_; }
  [[nodiscard]] const Way& way(Point from, Point to) const { return ways_[from * points_ + to]; }

  /// Takes `bandwidth` from each link of the way; nothing at all if a link has less.
  [[nodiscard]] bool take(const Way& way, float bandwidth);
  void give_back(const Way& way, float bandwidth);

  /// Of a PCI link of the GPU, the direction with less; -1 without a PCI link.
  [[nodiscard]] float pci_left(int gpu) const;

  /// The worst type of path, not above `limit`, that exists between GPUs (and the NVSwitch), or
  /// between GPUs and NETs: limits in between are the same. kLoc if there is none.
  [[nodiscard]] PathType effective_limit(PathType limit, bool intra) const;
  /// What is left of the links, in the order of Graph::links.
  [[nodiscard]] std::vector<float> links_left() const;
  /// Appends words that are the same where the same is left of all links and NETs.
  void add_left(std::vector<std::int32_t>& state) const;
  /// How many ways were walked with floats: where none was, what was taken and given back has left
  /// no trace.
  [[nodiscard]] std::uint64_t walks() const { return walks_; }

  [[nodiscard]] float net_left(int net) const { return net_left_[static_cast<std::size_t>(net)]; }
  /// Changes what is left of all NETs that share the port of this one.
  void change_net(int net, float bandwidth);

 private:
  /// One link of a way and what it is charged beside the bandwidth itself.
  struct Step {
    LinkId link = 0;
    LinkId reverse = 0;
    bool pci_overhead = false;  ///< 6/5 of the bandwidth
    bool back_eighth = false;   ///< 1/8 of it in the other direction
    bool back_full = false;     ///< as much in the other direction
  };

  /// What a step takes from its link and from the other direction.
  struct Charge {
    float forward = 0;
    float backward = 0;
  };
  /// The same of one link.
  struct WholeCharge {
    LinkId link = 0;
    std::int32_t thousandths = 0;
  };
  /// What a way costs at the speed that it was taken with last.
  struct Price {
    float bandwidth = -1;
    bool counts = false;               ///< rounding changes no whole thousandths then
    std::vector<WholeCharge> charges;  ///< where they are
  };
  [[nodiscard]] static Charge charge_of(const Step& step, float bandwidth);
  void add_way(NodeId from, const Path& path, const Rules& rules);
  void find_price(const Way& way, float bandwidth, Price& price) const;
  /// The price in thousandths; nullptr where that must be walked with floats.
  [[nodiscard]] const Price* counted(const Way& way, float bandwidth);
  [[nodiscard]] float left(LinkId link) const;
  void charge(LinkId link, float bandwidth);
  [[nodiscard]] int walk(const Way& way, int steps, float bandwidth);

  const Graph& graph_;
  Point gpus_ = 0, nets_ = 0, points_ = 0;
  std::vector<Way> ways_;  ///< [from][to]
  std::vector<Step> steps_;
  std::vector<Price> prices_;  ///< of ways_
  static constexpr std::int32_t kRagged = std::numeric_limits<std::int32_t>::min();
  std::vector<std::int32_t> whole_;  ///< thousandths left, by link; kRagged where `ragged_` is
  std::vector<float> ragged_;        ///< what links have that were never changed, in GB/s
  bool wide_in_eighths_ = true;      ///< what is left of wide links
  std::uint64_t walks_ = 0;
  std::vector<std::vector<LinkId>> pci_;  ///< [GPU]: its first PCI link, both directions
  std::vector<float> net_left_;
};

}  // namespace vgsim::collectives::nccl
