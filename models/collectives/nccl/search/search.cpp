#include "models/collectives/nccl/search/search.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <stdexcept>
#include <unordered_map>

#include "models/collectives/nccl/local_nets.hpp"

namespace vgsim::collectives::nccl {
namespace {

/// The order in which the next GPU of a channel is chosen.
enum class Order : std::uint8_t { kFree, kByIndex, kAsBefore };

/// The remaining goal of a channel. `net_after`: the position after which the path leads back to a
/// NET; `first_after`: the position after which it closes a ring. -1 if never.
struct Goal {
  int net_after = -1;
  int first_after = -1;
};

/// Limit of steps for the PCI order, so that steps remain for the search itself.
constexpr int kByIndexSteps = 1 << 10;

/// Parts of a search below these limits are repeated instead of looked up: number of steps, and
/// number of GPUs that the channel still lacks.
constexpr int kFewestSteps = 4;
constexpr int kFewestLeft = 4;

/// More GPUs than any node has; NCCL's limit is 256 in a node with NVLink between hosts.
constexpr std::size_t kMaxGpus = 127;
using GpuList = std::array<int, kMaxGpus>;

/// Rank of a GPU as the next one, lower is better. From the highest bits down: speed, PCI and hops
/// from the NET; speed and hops from the present GPU; and the distance in index from it. In whole
/// GB/s, as NCCL compares them.
constexpr int kSpeedBits = 13;
constexpr int kHopBits = 7;
constexpr int kPathBits = kSpeedBits + kHopBits + kHopBits;
constexpr Score kPathMask = (Score{1} << (kSpeedBits + kHopBits)) - 1;

Score appended(Score score, int value, int bits) {
  const int most = (1 << bits) - 1;
  return score << bits | static_cast<Score>(std::clamp(value, 0, most));
}
Score faster_first(Score score, int speed) {
  return appended(score, (1 << kSpeedBits) - 2 - speed, kSpeedBits);
}
Score path_of(Score score) { return score >> kHopBits & kPathMask; }

/// All inputs of a part of a search: its progress, and the remaining capacity of links and NETs.
using State = std::vector<std::int32_t>;

struct StateHash {
  std::size_t operator()(const State& state) const {
    std::uint64_t hash = state.size();
    for (const std::int32_t each : state) {
      hash = (hash ^ static_cast<std::uint32_t>(each)) * 0x9E3779B97F4A7C15U;
      hash ^= hash >> 32;
    }
    return hash;
  }
};

/// Places channels depth first. The same channels in another order, or the same GPUs of a channel,
/// leave the same link capacity. A state that led to no improvement is not searched again; its
/// steps are counted as NCCL counts them.
class ChannelSearch {
 public:
  ChannelSearch(SearchSpace& space, Draft draft, Draft& best)
      : space_(space),
        graph_(space.connected.graph),
        paths_(space.connected.paths),
        rules_(space.rules),
        draft_(std::move(draft)),
        best_(best),
        gpus_(static_cast<int>(graph_.gpus.size())) {
    if (graph_.gpus.size() > kMaxGpus) throw std::invalid_argument("too many GPUs in one node");
    const auto channels = static_cast<std::size_t>(draft_.max_channels);
    draft_.gpus.assign(channels * graph_.gpus.size(), -1);
    draft_.nets.assign(channels * 2, -1);
    draft_.channels = 0;
    used_.assign(graph_.gpus.size(), 0);
    net_lists_.resize(graph_.gpus.size() + 1);
    // A better set keeps the latency of the NET that was tried last.
    const bool one_latency = std::ranges::all_of(graph_.nets, [&](const GraphNet& net) {
      return net.latency == graph_.nets.front().latency;
    });
    remembers_ = one_latency && !for_heads() && gpus_ > 1;
    replays_ = !space_.inter || draft_.same_channels || rules_.replay == Replay::kAlways;
  }

  /// Whether a better set was found.
  bool run(Budget& budget) {
    next_channel(budget);
    return saves_ > 0;
  }

 private:
  using Nets = std::vector<std::size_t>;

  // Access to the draft and the graph ------------------------------------------------------------

  int& gpu_at(int channel, int place) {
    return draft_.gpus[static_cast<std::size_t>(channel * gpus_ + place)];
  }
  int& net_at(int channel, int end) {
    return draft_.nets[static_cast<std::size_t>(channel * 2 + end)];
  }
  Point gpu_point(int gpu) const { return space_.capacity.gpu(gpu); }
  Point net_point(int net) const { return space_.capacity.net(net); }
  const Way& way(Point from, Point to) const { return space_.capacity.way(from, to); }
  bool on_switch() const { return !graph_.nv_switches.empty(); }
  bool for_heads() const {
    return draft_.pattern == Pattern::kNvls || draft_.pattern == Pattern::kCollNetDirect;
  }
  bool is_tree() const {
    return draft_.pattern == Pattern::kTree || draft_.pattern == Pattern::kBalancedTree ||
           draft_.pattern == Pattern::kSplitTree;
  }

  // Paths ----------------------------------------------------------------------------------------

  bool is_intra(Point from, Point to) const {
    return !space_.capacity.is_net(from) && !space_.capacity.is_net(to);
  }

  /// Follows the path from one point to another at `share` times the speed of the draft.
  bool go(Point from, Point to, float share) {
    const Way& path = way(from, to);
    const bool intra = is_intra(from, to);
    if (path.type >= PathType::kDis) return false;
    if (share == 1.0F) {
      const PathType worst = intra ? draft_.type_intra : draft_.type_inter;
      if (path.type > worst) return false;
      if (rules_.return_path_checked && is_tree() && way(to, from).type > worst) return false;
    }
    if (!space_.capacity.take(path, speed(intra) * share)) return false;
    count_hops(path, share);
    return true;
  }

  void go_back(Point from, Point to, float share) {
    const Way& path = way(from, to);
    space_.capacity.give_back(path, speed(is_intra(from, to)) * share);
    count_hops(path, -share);
  }

  float speed(bool intra) const { return intra ? draft_.speed_intra : draft_.speed_inter; }

  void count_hops(const Way& path, float share) {
    draft_.hops =
        static_cast<int>(static_cast<float>(draft_.hops) + share * static_cast<float>(path.hops));
  }

  // Channels -------------------------------------------------------------------------------------

  Goal goal() const {
    if (!space_.inter) return {-1, draft_.pattern == Pattern::kRing ? gpus_ - 1 : -1};
    switch (draft_.pattern) {
      case Pattern::kRing:
        return {gpus_ - 1, -1};
      case Pattern::kSplitTree:
        return {1, -1};
      default:
        return {0, -1};
    }
  }

  void next_channel(Budget& budget) {
    if (space_.inter) {
      start_from_nets(budget);
    } else {
      start_from_gpus(budget);
    }
  }

  void start_from_gpus(Budget& budget) {
    if (draft_.pattern == Pattern::kNvls) return start(draft_.channels, Order::kFree, budget);
    if (draft_.channels == 0) {
      start(0, Order::kByIndex, budget);
    } else {
      start(gpu_at(draft_.channels - 1, 0), Order::kAsBefore, budget);
    }
    if (draft_.channels > 0 && draft_.same_channels) return;
    for (int gpu = 0; gpu < gpus_; ++gpu) start(gpu, Order::kFree, budget);
  }

  /// Starts at a GPU without a path to it.
  void start(int gpu, Order order, Budget& budget) { place(gpu, 0, goal(), order, budget); }

  void start_from_nets(Budget& budget) {
    const Nets& nets = nets_for(-1);
    bool found = false;
    for (std::size_t i = 0; i < nets.size(); ++i) {
      if (for_heads() && found) break;
      if (budget.over() && draft_.channels > 0) return;
      const std::size_t turned =
          rules_.net_turns_with_channel ? static_cast<std::size_t>(draft_.channels) + i : i;
      const int net = static_cast<int>(nets[turned % nets.size()]);
      if (!may_start_at(net)) continue;
      // NCCL uses the NET's own bandwidth in whole GB/s.
      const auto whole = static_cast<float>(static_cast<int>(draft_.speed_inter));
      net_at(draft_.channels, 0) = net;
      draft_.latency_inter = graph_.nets[static_cast<std::size_t>(net)].latency;
      space_.capacity.change_net(net, -whole);
      if (for_heads()) {
        found = start_head(net, nets, budget) || found;
      } else {
        start_from_net(net, budget);
      }
      space_.capacity.change_net(net, whole);
    }
  }

  bool may_start_at(int net) {
    const auto index = static_cast<std::size_t>(net);
    if (draft_.collnet && !graph_.nets[index].coll) return false;
    if (space_.capacity.net_left(net) < static_cast<float>(static_cast<int>(draft_.speed_inter))) {
      return false;
    }
    const bool second_of_pair = swaps_rails() && draft_.channels % 2 == 1;
    return !second_of_pair || net == net_at(draft_.channels - 1, 1);
  }

  bool swaps_rails() const { return draft_.pattern == Pattern::kRing && draft_.cross_nic == 2; }

  /// An NVLS or CollNet channel consists of a NET and the GPU beside it.
  bool start_head(int net, const Nets& nets, Budget& budget) {
    if (static_cast<std::size_t>(draft_.channels) >= nets.size()) return false;
    const int gpu = rules_.nvls_from_net
                        ? space_.connected.net_gpu[static_cast<std::size_t>(net)]
                        : space_.connected.net_gpu[nets[static_cast<std::size_t>(draft_.channels)]];
    if (gpu < 0) return false;
    if (rules_.nvls_heads_differ) {
      for (int c = 0; c < draft_.channels; ++c) {
        if (gpu_at(c, 0) == gpu) return false;
      }
    }
    if (rules_.nvls_from_net) {
      enter(net, gpu, Order::kFree, budget);
    } else {
      start(gpu, Order::kFree, budget);
    }
    return true;
  }

  void start_from_net(int net, Budget& budget) {
    const bool first = draft_.channels == 0;
    const bool repeats = rules_.replay == Replay::kAlways ? !first : !first && draft_.same_channels;
    if (repeats) enter(net, gpu_at(draft_.channels - 1, 0), Order::kAsBefore, budget);
    if (rules_.replay == Replay::kAlways ? !first && draft_.same_channels : repeats) return;
    if (first && (rules_.pci_order_first_on_switch || !on_switch())) {
      Budget own{kByIndexSteps, false};
      enter(net, 0, Order::kByIndex, own);
      if (own.perfect) budget.perfect = true;
    }
    start_near(net, budget);
  }

  void start_near(int net, Budget& budget) {
    const int own = space_.connected.net_gpu[static_cast<std::size_t>(net)];
    if (rules_.start_gpu == StartGpu::kOwnFirst) {
      if (own >= 0) enter(net, own, Order::kFree, budget);
      for (const std::size_t gpu : space_.nearest[static_cast<std::size_t>(net)]) {
        if (static_cast<int>(gpu) != own) enter(net, static_cast<int>(gpu), Order::kFree, budget);
      }
      return;
    }
    const std::vector<int> near = nearest_by_hops(net);
    if (rules_.start_gpu == StartGpu::kRotating) {
      for (int i = 0; i < gpus_; ++i) {
        const int gpu = (draft_.channels + i) % gpus_;
        if (std::find(near.begin(), near.end(), gpu) != near.end()) {
          enter(net, gpu, Order::kFree, budget);
        }
      }
      return;
    }
    // GPUs with remaining PCI capacity come first: sending and receiving at one GPU usually costs
    // speed.
    for (const bool busy : {false, true}) {
      for (const int gpu : near) {
        const bool is_busy = !(space_.capacity.pci_left(gpu) > 0);
        if (is_busy == busy) enter(net, gpu, Order::kFree, budget);
      }
    }
  }

  /// The GPUs with the highest bandwidth from the NET and, among these, the fewest hops; empty if
  /// all are too slow.
  std::vector<int> nearest_by_hops(int net) const {
    float bandwidth = 0;
    int hops = 0;
    std::vector<int> near;
    for (int gpu = 0; gpu < gpus_; ++gpu) {
      const Way& path = way(net_point(net), gpu_point(gpu));
      if (path.bandwidth > bandwidth || (path.bandwidth == bandwidth && path.hops < hops)) {
        bandwidth = path.bandwidth;
        hops = path.hops;
        near.clear();
      }
      if (path.bandwidth == bandwidth && path.hops == hops) near.push_back(gpu);
    }
    if (bandwidth < static_cast<float>(static_cast<int>(draft_.speed_inter))) near.clear();
    return near;
  }

  int pci_left(int gpu) const { return static_cast<int>(space_.capacity.pci_left(gpu)); }

  void enter(int net, int gpu, Order order, Budget& budget) {
    if (!go(net_point(net), gpu_point(gpu), 1)) return;
    place(gpu, 0, goal(), order, budget);
    go_back(net_point(net), gpu_point(gpu), 1);
  }

  /// Adds a GPU to the current channel and continues from it.
  void place(int gpu, int at, Goal goal, Order order, Budget& budget) {
    const std::uint64_t flag = std::uint64_t{1} << draft_.channels;
    used_[static_cast<std::size_t>(gpu)] ^= flag;
    go_on(gpu, at, goal, order, budget);
    used_[static_cast<std::size_t>(gpu)] ^= flag;
  }

  void go_on(int gpu, int at, Goal goal, Order order, Budget& budget) {
    if (budget.over()) return;
    const bool branches = order == Order::kFree && !(rules_.switch_neighbours && on_switch());
    if (!remembers_ || !branches || gpus_ - at < kFewestLeft) {
      return step(gpu, at, goal, order, budget);
    }
    gpu_at(draft_.channels, at) = gpu;
    explore({at, gpu, goal.net_after}, budget, [&] { step(gpu, at, goal, order, budget); });
  }

  void step(int gpu, int at, Goal goal, Order order, Budget& budget) {
    --budget.steps;
    gpu_at(draft_.channels, at) = gpu;
    if (at == goal.net_after) {
      return_to_net(gpu, at, goal, order, budget);
    } else if (draft_.pattern == Pattern::kNvls) {
      try_switch(gpu, budget);
    } else if (draft_.pattern == Pattern::kCollNetDirect) {
      try_all_peers(gpu, budget);
    } else if (at < gpus_ - 1) {
      go_to_next(gpu, at, goal, order, budget);
    } else if (at == goal.first_after) {
      close_ring(gpu, budget);
    } else {
      finish_channel(budget);
    }
  }

  void finish_channel(Budget& budget) {
    if (budget.over()) return;
    --budget.steps;
    ++draft_.channels;
    if (is_better()) {
      save();
      if (draft_.channels == draft_.max_channels) budget.perfect = true;
    }
    if (draft_.channels < draft_.max_channels) {
      if (remembers_ && !budget.over()) {
        explore({-1, -1, -1}, budget, [&] { next_channel(budget); });
      } else {
        next_channel(budget);
      }
    }
    --draft_.channels;
  }

  // States without improvement --------------------------------------------------------------------

  /// Where a part of the search begins in the current channel; -1: before its first GPU.
  struct Place {
    int at = -1;
    int gpu = -1;
    int net_after = -1;
  };
  /// A part of the search that did not improve the best set.
  struct NoImprovement {
    int steps = 0;          ///< that it took
    bool is_exact = false;  ///< it followed no path with inexact floats
  };

  /// Runs a part of the search, unless the same state led to no improvement before: then only its
  /// steps are counted, at most all that remain. A part with inexact floats, which can change
  /// capacities when it is cut short, is run again in that case.
  template <class Part>
  void explore(const Place& place, Budget& budget, const Part& part) {
    find_state(place, state_);
    const auto known = no_improvement_.find(state_);
    if (known != no_improvement_.end() &&
        (known->second.is_exact || known->second.steps <= budget.steps)) {
      budget.steps -= std::min(budget.steps, known->second.steps);
      if (!known->second.is_exact) ++walks_left_out_;
      return;
    }
    const State before = state_;
    const int steps = budget.steps;
    const std::uint64_t walks = space_.capacity.walks() + walks_left_out_;
    const std::size_t saves = saves_;
    part();
    const bool no_better = saves_ == saves && !budget.over();
    if (!no_better || steps - budget.steps < kFewestSteps) return;
    find_state(place, state_);
    if (state_ != before) return;  // it changed the state
    const bool is_exact = walks == space_.capacity.walks() + walks_left_out_;
    no_improvement_.emplace(before, NoImprovement{steps - budget.steps, is_exact});
  }

  void find_state(const Place& place, State& state) const {
    const int c = draft_.channels;
    state.assign({place.at, place.gpu, place.net_after, c, draft_.hops});
    const auto add_net = [&](int channel, int end) {
      state.push_back(draft_.nets[static_cast<std::size_t>(channel * 2 + end)]);
    };
    const auto add_gpus = [&](int channel, int count) {
      const auto first = draft_.gpus.begin() + static_cast<std::ptrdiff_t>(channel) * gpus_;
      state.insert(state.end(), first, first + count);
    };
    if (c > 0 && swaps_rails()) {
      add_net(c - 1, 0);
      add_net(c - 1, 1);
    }
    if (c > 0 && replays_) add_gpus(c - 1, gpus_);
    if (place.at >= 0) {
      add_net(c, 0);
      if (draft_.pattern == Pattern::kBalancedTree && place.at > 0) add_net(c, 1);
      if (replays_) {
        add_gpus(c, place.at);
      } else {
        add_gpus(c, 1);
        add_used(state);
      }
    }
    space_.capacity.add_left(state);
  }

  /// The GPUs of the current channel, in any order.
  void add_used(State& state) const {
    const std::uint64_t flag = std::uint64_t{1} << draft_.channels;
    std::uint32_t bits = 0;
    for (int gpu = 0; gpu < gpus_; ++gpu) {
      bits = bits << 1U | ((used_[static_cast<std::size_t>(gpu)] & flag) != 0 ? 1U : 0U);
      if (gpu % 32 == 31 || gpu + 1 == gpus_) state.push_back(std::bit_cast<std::int32_t>(bits));
    }
  }

  void close_ring(int gpu, Budget& budget) {
    const int first = gpu_at(draft_.channels, 0);
    if (!go(gpu_point(gpu), gpu_point(first), 1)) return;
    finish_channel(budget);
    go_back(gpu_point(gpu), gpu_point(first), 1);
  }

  bool is_better() const {
    if (draft_.channels < draft_.min_channels) return false;
    const auto draft_channels = static_cast<float>(draft_.channels);
    const auto best_channels = static_cast<float>(best_.channels);
    if (draft_.pattern == Pattern::kNvls) {
      if (draft_.channels > best_.channels && draft_.channels <= gpus_) return true;
      return rules_.nvls_counts_inter &&
             draft_channels * draft_.speed_inter > best_channels * best_.speed_inter;
    }
    const float mine = draft_channels * draft_.speed_intra;
    float theirs = best_channels * best_.speed_intra;
    if (rules_.cross_nic_handicap) {
      const double handicap = 1.0 - (best_.cross_nic - draft_.cross_nic) * .15;
      theirs *= static_cast<float>(handicap);
    }
    if (mine != theirs) return mine > theirs;
    return draft_.pattern == best_.pattern && draft_.cross_nic == best_.cross_nic &&
           draft_.hops < best_.hops;
  }

  void save() {
    best_ = draft_;
    ++saves_;
    no_improvement_.clear();
  }

  // From GPU to GPU ------------------------------------------------------------------------------

  void go_to_next(int gpu, int at, Goal goal, Order order, Budget& budget) {
    GpuList next;
    std::size_t count = 1;
    switch (order) {
      case Order::kByIndex:
        next[0] = at + 1;
        break;
      case Order::kAsBefore:
        next[0] = gpu_at(draft_.channels - 1, at + 1);
        break;
      case Order::kFree:
        count = choose_next(gpu, at, goal, next);
        break;
    }
    for (std::size_t i = 0; i < count; ++i) {
      if (budget.over()) return;
      if (!go(gpu_point(gpu), gpu_point(next[i]), 1)) continue;
      place(next[i], at + 1, goal, order, budget);
      go_back(gpu_point(gpu), gpu_point(next[i]), 1);
    }
  }

  Score score_of(int from, int gpu, int distance, bool counts_net) const {
    Score score = space_.score_between[static_cast<std::size_t>(from * gpus_ + gpu)];
    if (counts_net) {
      const int net = draft_.nets[static_cast<std::size_t>(draft_.channels) * 2];
      score |= space_.score_from_net[static_cast<std::size_t>(net * gpus_ + gpu)] |
               faster_first(0, pci_left(gpu)) << (kHopBits + kPathBits);
    }
    return appended(score >> kHopBits, distance, kHopBits);
  }

  std::size_t choose_next(int gpu, int at, Goal goal, GpuList& next) {
    if (rules_.switch_neighbours && on_switch()) return neighbours(gpu, next);
    std::array<Score, kMaxGpus> scores;
    std::size_t count = 0;
    for (int distance = 1; distance < gpus_; ++distance) {
      const int other = (gpu + distance) % gpus_;
      if (!may_be_next(gpu, other)) continue;
      scores[count++] = score_of(gpu, other, distance, goal.net_after != -1);
    }
    const auto end = scores.begin() + static_cast<std::ptrdiff_t>(count);
    std::sort(scores.begin(), end);
    const bool all_alike = std::all_of(scores.begin(), end, [&](Score score) {
      return path_of(score) == path_of(scores.front());
    });
    const bool next_returns = goal.net_after == at + 1;
    if (goal.net_after != -1 && !next_returns && all_alike) std::reverse(scores.begin(), end);
    for (std::size_t i = 0; i < count; ++i) {
      const auto distance = static_cast<int>(scores[i] & ((Score{1} << kHopBits) - 1));
      next[i] = (gpu + distance) % gpus_;
    }
    return count;
  }

  /// Whether a GPU is not in the channel yet and can be reached from another one.
  bool may_be_next(int gpu, int other) const {
    const std::uint64_t flag = std::uint64_t{1} << draft_.channels;
    return (used_[static_cast<std::size_t>(other)] & flag) == 0 &&
           way(gpu_point(gpu), gpu_point(other)).hops != 0;
  }

  /// With NVSwitches only the GPUs next in index are tried, the previous one first, even if others
  /// are better.
  std::size_t neighbours(int gpu, GpuList& next) const {
    const int before = gpu == 0 ? gpus_ - 1 : gpu - 1;
    const int after = gpu + 1 == gpus_ ? 0 : gpu + 1;
    std::array<int, 2> wanted{after, before};
    std::size_t wishes = 2;
    if (draft_.pattern == Pattern::kSplitTree || draft_.pattern == Pattern::kBalancedTree) {
      wanted = {before, after};
    } else if (draft_.pattern != Pattern::kRing) {
      wishes = 1;
    }
    if (before == after) wishes = 1;
    std::size_t kept = 0;
    for (std::size_t i = wishes; i-- > 0;) {
      if (may_be_next(gpu, wanted[i])) next[kept++] = wanted[i];
    }
    return kept;
  }

  // Back to a NET --------------------------------------------------------------------------------

  void return_to_net(int gpu, int at, Goal goal, Order order, Budget& budget) {
    const bool balanced = draft_.pattern == Pattern::kBalancedTree;
    const float speed_inter = draft_.speed_inter;
    for (const std::size_t index : nets_for(gpu)) {
      if (budget.over()) return;
      const int net = static_cast<int>(index);
      if (!may_end_at(net, at)) continue;
      // The first two GPUs of a balanced tree share the outgoing traffic.
      if (balanced) draft_.speed_inter = speed_inter / 2;
      const bool fits = go(gpu_point(gpu), net_point(net), 1);
      draft_.speed_inter = speed_inter;
      if (!fits) continue;
      net_at(draft_.channels, 1) = net;
      Goal left = goal;
      left.net_after = balanced && at == 0 ? 1 : -1;
      go_on(gpu, at, left, order, budget);
      if (balanced) draft_.speed_inter = speed_inter / 2;
      go_back(gpu_point(gpu), net_point(net), 1);
      draft_.speed_inter = speed_inter;
    }
  }

  bool may_end_at(int net, int at) {
    const int first = net_at(draft_.channels, 0);
    if (draft_.pattern == Pattern::kTree && net != first) return false;
    if (rules_.rail_swap && swaps_rails()) {
      if (draft_.channels % 2 == 1 && net != net_at(draft_.channels - 1, 0)) return false;
    } else if (draft_.cross_nic == 0) {
      const GraphNet& a = graph_.nets[static_cast<std::size_t>(net)];
      const GraphNet& b = graph_.nets[static_cast<std::size_t>(first)];
      if (a.guid != b.guid || a.port != b.port) return false;
    }
    const bool second = draft_.pattern == Pattern::kBalancedTree && at != 0;
    return !second || net == net_at(draft_.channels, 1);
  }

  // NVLS and CollNet -----------------------------------------------------------------------------

  /// All GPUs read from and write to the switch; the head does so twice.
  void try_switch(int head, Budget& budget) {
    const Point nv_switch = space_.capacity.nv_switch();
    const auto share = [&](int gpu) { return gpu == head ? 2.0F : 1.0F; };
    int down = 0;
    while (down < gpus_ && go(nv_switch, gpu_point(down), share(down))) ++down;
    if (down == gpus_) {
      int up = 0;
      while (up < gpus_ && go(gpu_point(up), nv_switch, share(up))) ++up;
      if (up == gpus_) finish_channel(budget);
      while (up-- > 0) go_back(gpu_point(up), nv_switch, share(up));
    }
    while (down-- > 0) go_back(nv_switch, gpu_point(down), share(down));
  }

  /// The head exchanges its share with every GPU.
  void try_all_peers(int head, Budget& budget) {
    const float share = 1.0F / static_cast<float>(gpus_ - 1);
    int out = 0;
    while (out < gpus_ && go(gpu_point(head), gpu_point(out), share)) ++out;
    if (out == gpus_) {
      int in = 0;
      while (in < gpus_ && go(gpu_point(in), gpu_point(head), share)) ++in;
      if (in == gpus_) {
        int at = 1;
        for (int gpu = 0; gpu < gpus_; ++gpu) {
          if (gpu != head) gpu_at(draft_.channels, at++) = gpu;
        }
        finish_channel(budget);
      }
      while (in-- > 0) go_back(gpu_point(in), gpu_point(head), share);
    }
    while (out-- > 0) go_back(gpu_point(head), gpu_point(out), share);
  }

  // NETs -----------------------------------------------------------------------------------------

  /// The NETs to try, from one GPU or (-1) from all, best first.
  const Nets& nets_for(int gpu) {
    std::optional<Nets>& list = net_lists_[static_cast<std::size_t>(gpu + 1)];
    if (!list) list = listed_nets(gpu);
    return *list;
  }

  Nets listed_nets(int only) const {
    Nets nets;
    const auto add = [&](std::size_t net) {
      if (std::find(nets.begin(), nets.end(), net) == nets.end()) nets.push_back(net);
    };
    if (rules_.net_order == NetOrder::kAsListed) {
      for (std::size_t net = 0; net < graph_.nets.size(); ++net) add(net);
      return nets;
    }
    const auto each_gpu = [&](const auto& visit) {
      for (int gpu = 0; gpu < gpus_; ++gpu) {
        if (only == -1 || only == gpu) visit(gpu);
      }
    };
    if (rules_.net_order == NetOrder::kOfGpusFirst) {
      each_gpu([&](int gpu) {
        for (const std::size_t net :
             preferred_nets(graph_, paths_, static_cast<std::size_t>(gpu), rules_)) {
          add(net);
        }
      });
    }
    for (auto t = PathType::kLoc; t <= draft_.type_inter;
         t = static_cast<PathType>(static_cast<int>(t) + 1)) {
      each_gpu([&](int gpu) {
        for (const std::size_t net : nets_at(gpu, t)) add(net);
      });
    }
    return nets;
  }

  /// The NETs at that distance from the GPU. Before GPUs had preferred NETs, the list was rotated
  /// by the GPU's number, so that GPUs on one switch used different NETs.
  Nets nets_at(int gpu, PathType distance) const {
    Nets nets;
    for (std::size_t net = 0; net < graph_.nets.size(); ++net) {
      const Way& path = way(gpu_point(gpu), net_point(static_cast<int>(net)));
      if (path.type == distance) nets.push_back(net);
    }
    if (rules_.net_order == NetOrder::kByDistance && !nets.empty()) {
      const auto dev = static_cast<std::size_t>(graph_.gpus[static_cast<std::size_t>(gpu)].dev);
      const auto turn = static_cast<std::ptrdiff_t>(dev % nets.size());
      std::rotate(nets.begin(), nets.begin() + turn, nets.end());
    }
    return nets;
  }

  SearchSpace& space_;
  const Graph& graph_;
  const Paths& paths_;
  const Rules& rules_;
  Draft draft_;
  Draft& best_;
  int gpus_;
  bool remembers_ = false;           ///< states without improvement
  bool replays_ = false;             ///< a channel can repeat the order of GPUs of the previous one
  std::size_t saves_ = 0;            ///< number of better sets
  std::vector<std::uint64_t> used_;  ///< by GPU, a bit for each channel
  std::vector<std::optional<Nets>> net_lists_;
  State state_;                       ///< scratch
  std::uint64_t walks_left_out_ = 0;  ///< skipped parts with inexact floats
  std::unordered_map<State, NoImprovement, StateHash>
      no_improvement_;  ///< by the state at its start
};

}  // namespace

SearchSpace::SearchSpace(const Connected& node, const Rules& node_rules, bool leaves_node)
    : connected(node), rules(node_rules), inter(leaves_node), capacity(node, node_rules) {
  for (std::size_t net = 0; net < node.graph.nets.size(); ++net) {
    nearest.push_back(nearest_gpus(node.graph, node.paths, net));
  }
  const auto gpus = static_cast<int>(node.graph.gpus.size());
  for (int from = 0; from < gpus; ++from) {
    for (int gpu = 0; gpu < gpus; ++gpu) {
      const Way& path = capacity.way(capacity.gpu(from), capacity.gpu(gpu));
      const Score speed = faster_first(0, static_cast<int>(path.bandwidth));
      score_between.push_back(appended(speed, path.hops, kHopBits) << kHopBits);
    }
  }
  for (int net = 0; net < static_cast<int>(node.graph.nets.size()); ++net) {
    for (int gpu = 0; gpu < gpus; ++gpu) {
      const Way& path = capacity.way(capacity.net(net), capacity.gpu(gpu));
      const Score speed = faster_first(0, static_cast<int>(path.bandwidth));
      const Score hops = appended(0, path.hops, kHopBits);
      score_from_net.push_back((speed << (kSpeedBits + kHopBits) | hops) << kPathBits);
    }
  }
}

bool search_channels(SearchSpace& space, Draft draft, Draft& best, Budget& budget) {
  return ChannelSearch(space, std::move(draft), best).run(budget);
}

}  // namespace vgsim::collectives::nccl
