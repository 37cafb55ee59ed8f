#include "models/collectives/nccl/search/node_search.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace vgsim::collectives::nccl {
namespace {

constexpr int kMaxNvlsHeads = 32;   // NCCL_MAX_NVLS_ARITY
constexpr int kMaxDirectHeads = 8;  // NCCL_MAX_DIRECT_ARITY + 1

float max_speed(const Connected& node, bool inter, const Constants& constants) {
  const Graph& graph = node.graph;
  if (!inter && graph.gpus.size() == 1) return static_cast<float>(constants.local);
  float speed = 0;
  const auto consider = [&](NodeId from, NodeId to) {
    const Path& path = node.paths.at(from, to);
    if (!path.links.empty()) speed = std::max(speed, path.bandwidth);
  };
  if (inter) {
    for (const GraphGpu& gpu : graph.gpus) {
      for (const GraphNet& net : graph.nets) consider(gpu.node, net.node);
    }
    return speed;
  }
  // Between devices, if there are any: no path over the CPU slows these.
  for (const GraphGpu& a : graph.gpus) {
    for (const GraphGpu& b : graph.gpus) consider(a.device, b.device);
  }
  return speed;
}

float total_speed(const Connected& node, bool inter, const Rules& rules,
                  const Constants& constants) {
  const Graph& graph = node.graph;
  if (!inter && graph.gpus.size() == 1) {
    return rules.lone_gpu_unlimited ? 0 : static_cast<float>(constants.local);
  }
  float total = 0;
  for (const GraphGpu& gpu : graph.gpus) {
    float nvlink = 0;
    float pci = 0;
    for (const LinkId id : graph.nodes[gpu.device].links) {
      const Link& link = graph.links[id];
      if (link.type == LinkType::kNvLink) nvlink += link.bandwidth;
      if (link.type == LinkType::kPci) pci = link.bandwidth;
    }
    total = std::max({total, nvlink, pci});
  }
  return total;
}

/// Best and worst type of the paths from GPUs.
struct TypeRange {
  PathType best = PathType::kSys;
  PathType worst = PathType::kLoc;

  void add(PathType type) {
    best = std::min(best, type);
    worst = std::max(worst, type);
  }
};

TypeRange types_between_gpus(const Connected& node) {
  TypeRange range;
  for (const GraphGpu& a : node.graph.gpus) {
    for (const GraphGpu& b : node.graph.gpus) {
      if (a.node != b.node) range.add(node.paths.at(a.node, b.node).type);
    }
  }
  return range;
}

TypeRange types_to_nets(const Connected& node) {
  TypeRange range;
  for (const GraphGpu& gpu : node.graph.gpus) {
    for (const GraphNet& net : node.graph.nets) {
      range.add(node.paths.at(gpu.node, net.node).type);
    }
  }
  return range;
}

/// Whether the GPUs form exactly two groups that NVLink connects.
bool has_two_nvlink_islands(const Connected& node) {
  const std::size_t gpus = node.graph.gpus.size();
  std::vector<std::size_t> island(gpus);
  for (std::size_t i = 0; i < gpus; ++i) island[i] = i;
  for (std::size_t a = 0; a < gpus; ++a) {
    for (std::size_t b = a + 1; b < gpus; ++b) {
      const Path& path = node.paths.at(node.graph.gpus[a].node, node.graph.gpus[b].node);
      if (path.type == PathType::kNvl) island[b] = island[a];
    }
  }
  std::ptrdiff_t large = 0;
  for (std::size_t i = 0; i < gpus; ++i) {
    if (std::count(island.begin(), island.end(), i) > 1) ++large;
  }
  return large == 2;
}

/// All inputs of a search other than the best graph so far and the remaining link capacity. Many
/// limits on types are equivalent, since no path has the types in between.
using Limits = std::tuple<Pattern, int, bool, int, int, int, float, float, PathType, PathType>;

/// Searches for one pattern: from high to low speeds until channels are found, then upwards.
class PatternSearch {
 public:
  PatternSearch(SearchSpace& space, const Constants& constants, const Settings& settings)
      : space_(space),
        node_(space.connected),
        rules_(space.rules),
        constants_(constants),
        gpus_(static_cast<int>(node_.graph.gpus.size())),
        min_sm_(node_.graph.min_sm()),
        cross_nic_setting_(settings.cross_nic.value_or(2)),
        max_speed_(max_speed(node_, space.inter, constants)),
        total_speed_(total_speed(node_, space.inter, rules_, constants)) {}

  Draft find(Draft limits) {
    best_ = std::move(limits);
    no_improvement_.clear();
    prepare();
    if (best_.pattern == Pattern::kNvls && (node_.graph.nv_switches.empty() || min_sm_ < 90)) {
      return best_;
    }
    limit_channels();
    draft_ = best_;
    first_pass();
    if (rules_.double_before_pass2) double_channels();
    second_pass();
    fall_back();
    if (!rules_.double_before_pass2) double_channels();
    return best_;
  }

 private:
  void prepare() {
    const Pattern pattern = best_.pattern;
    const bool may_cross = pattern == Pattern::kRing || pattern == Pattern::kBalancedTree ||
                           pattern == Pattern::kSplitTree;
    cross_nic_ = node_.graph.nets.size() > 1 && may_cross ? cross_nic_setting_ : 0;
    best_.cross_nic = cross_nic_ == 1 ? 1 : 0;
    best_.speed_intra = best_.speed_inter = 0;
    best_.channels = 0;
    best_.hops = 0;
    set_types();
    starts_equal_ = pattern != Pattern::kNvls;
    best_.same_channels = starts_equal_;
  }

  void set_types() {
    best_intra_ = gpus_ == 1 ? PathType::kLoc : PathType::kNvl;
    best_inter_ = PathType::kPix;
    worst_intra_ = worst_inter_ = PathType::kSys;
    if (rules_.nearest_type_start) {
      if (gpus_ > 1) {
        const TypeRange range = types_between_gpus(node_);
        best_intra_ = range.best;
        worst_intra_ = range.worst;
      }
      if (space_.inter) {
        const TypeRange range = types_to_nets(node_);
        best_inter_ = range.best;
        if (rules_.type_inter_bounded) worst_intra_ = worst_inter_ = range.worst;
      }
    }
    if (rules_.type_inter_unbounded_below_sm90 && min_sm_ < 90) worst_inter_ = PathType::kSys;
    best_.type_intra = best_intra_;
    best_.type_inter = best_inter_;
  }

  void limit_channels() {
    if (best_.pattern == Pattern::kNvls) {
      best_.max_channels = std::min(kMaxNvlsHeads, gpus_);
      if (!space_.inter) best_.min_channels = best_.max_channels;
    }
    if (best_.pattern == Pattern::kCollNetDirect) {
      best_.max_channels = std::min(kMaxDirectHeads, gpus_);
    }
    if (gpus_ == 1 && best_.pattern != Pattern::kRing) best_.pattern = Pattern::kTree;
    if (rules_.split_nvlink_pairs && best_.pattern == Pattern::kRing && best_.max_channels >= 2 &&
        best_.min_channels == 1 && has_two_nvlink_islands(node_)) {
      best_.min_channels = 2;
    }
    pattern_ = best_.pattern;
  }

  const std::vector<double>& speeds() const {
    if (min_sm_ >= 100 && !constants_.speeds_intra_sm100.empty()) {
      return space_.inter ? constants_.speeds_inter_sm100 : constants_.speeds_intra_sm100;
    }
    if (min_sm_ >= 90 && !constants_.speeds_intra_sm90.empty()) {
      return space_.inter ? constants_.speeds_inter_sm90 : constants_.speeds_intra_sm90;
    }
    return space_.inter ? constants_.speeds_inter : constants_.speeds_intra;
  }

  float speed(std::size_t index) const { return static_cast<float>(speeds()[index]); }
  bool is_slowest(std::size_t index) const { return index + 1 >= speeds().size(); }

  std::size_t first_speed() const {
    float total = total_speed_;
    if (gpus_ > 1 && pattern_ != Pattern::kRing) {
      total = static_cast<float>(total * (gpus_ * 1.0 / (gpus_ - 1)));
    }
    const bool limited = rules_.total_speed_checked && !(gpus_ == 1 && rules_.lone_gpu_unlimited);
    std::size_t index = 0;
    while (!is_slowest(index) &&
           (speed(index) > max_speed_ ||
            (limited && speed(index) * static_cast<float>(best_.min_channels) > total))) {
      ++index;
    }
    return index;
  }

  void set_speed(std::size_t index) {
    index_ = index;
    draft_.speed_intra = draft_.speed_inter = speed(index);
  }

  std::int64_t steps() const {
    if (draft_.same_channels) return constants_.budget.same_channels;
    return draft_.pattern == Pattern::kTree ? constants_.budget.trees : constants_.budget.search;
  }

  /// One search within the limits of the draft.
  void search() {
    budget_ = Budget{static_cast<int>(steps()), false};
    left_ -= budget_.steps;
    const Limits limits = limits_of_draft();
    if (const auto known = no_improvement_.find(limits); known != no_improvement_.end()) {
      budget_ = known->second;
      return;
    }
    const std::vector<float> links_before = space_.capacity.links_left();
    const bool improved = search_channels(space_, draft_, best_, budget_);
    if (improved || space_.capacity.links_left() != links_before) {
      no_improvement_.clear();
    } else {
      no_improvement_.emplace(limits, budget_);
    }
  }

  Limits limits_of_draft() const {
    return {draft_.pattern,
            draft_.cross_nic,
            draft_.same_channels,
            draft_.min_channels,
            draft_.max_channels,
            draft_.hops,
            draft_.speed_intra,
            draft_.speed_inter,
            space_.capacity.effective_limit(draft_.type_intra, true),
            space_.capacity.effective_limit(draft_.type_inter, false)};
  }

  bool cannot_improve() const {
    return budget_.perfect ||
           static_cast<float>(best_.channels) * best_.speed_inter >= total_speed_;
  }

  void first_pass() {
    set_speed(first_speed());
    left_ = constants_.budget.total;
    do {
      search();
      if (cannot_improve()) return;
    } while (relax());
  }

  /// Widens the limits or lowers the speed by one step; false if nothing is left to try.
  bool relax() {
    if (draft_.same_channels && !must_stay_equal()) {
      draft_.same_channels = false;
      return true;
    }
    draft_.same_channels = starts_equal_;
    left_ = budget_.perfect ? constants_.budget.total : left_ + budget_.steps;
    if (left_ < 0 && best_.channels > 0) return false;
    if (rules_.simple_tree_sm90 && min_sm_ >= 90 && draft_.pattern == Pattern::kBalancedTree) {
      draft_.pattern = Pattern::kTree;
      return true;
    }
    if (rules_.simple_tree_sm90) draft_.pattern = pattern_;
    return relax_types() || relax_cross_nic() || relax_pattern() || slow_down();
  }

  bool must_stay_equal() const {
    const GraphCpu& cpu = node_.graph.cpus.front();
    return rules_.amd_equal_channels && cpu.arch == CpuArch::kX86 &&
           cpu.vendor == CpuVendor::kAmd && draft_.type_intra == PathType::kSys;
  }

  bool has_type(PathType type) const {
    switch (type) {
      case PathType::kC2c:
        return rules_.c2c_type;
      case PathType::kP2c:
        return rules_.p2c_type;
      case PathType::kPxn:
        return rules_.pxn;
      default:
        return true;
    }
  }

  PathType worse(PathType type) const {
    do {
      type = static_cast<PathType>(static_cast<int>(type) + 1);
    } while (!has_type(type));
    return type;
  }

  bool relax_types() {
    const PathType worst_intra = space_.inter ? draft_.type_inter : worst_intra_;
    if (draft_.type_intra < worst_intra &&
        (best_.channels == 0 || draft_.type_intra < best_.type_intra)) {
      draft_.type_intra = worse(draft_.type_intra);
      if (draft_.type_intra < PathType::kDis) return true;
    }
    draft_.type_intra = best_intra_;
    const PathType always_below = rules_.pxn ? PathType::kPxn : PathType::kPxb;
    if (space_.inter && draft_.type_inter < worst_inter_ &&
        (best_.channels == 0 || draft_.type_inter < best_.type_inter ||
         draft_.type_inter < always_below)) {
      draft_.type_inter = worse(draft_.type_inter);
      if (draft_.type_inter < PathType::kDis) return true;
    }
    draft_.type_inter = best_inter_;
    return false;
  }

  bool relax_cross_nic() {
    const int wider = rules_.rail_swap ? 2 : 1;
    const bool allowed = rules_.rail_swap ? cross_nic_ == 2 && pattern_may_swap() : cross_nic_ != 0;
    if (allowed && draft_.cross_nic == 0) {
      draft_.cross_nic = wider;
      return true;
    }
    draft_.cross_nic = rules_.rail_swap && cross_nic_ == 1 ? 1 : 0;
    return false;
  }

  bool pattern_may_swap() const {
    return pattern_ == Pattern::kRing || pattern_ == Pattern::kBalancedTree;
  }

  bool relax_pattern() {
    if (rules_.simple_tree_sm90) return false;
    if (draft_.pattern == Pattern::kSplitTree) {
      draft_.pattern = Pattern::kTree;
      return true;
    }
    draft_.pattern = pattern_;
    return false;
  }

  bool slow_down() {
    if (is_slowest(index_)) return false;
    if (best_.channels > 0 && !(speed(index_ + 1) / best_.speed_inter > .49)) return false;
    set_speed(index_ + 1);
    return true;
  }

  /// Splits fast channels into two of half the speed, since one channel uses one SM. Above sm80,
  /// many channels of medium speed stay unchanged.
  void double_channels() {
    if (best_.channels == 0 || best_.pattern == Pattern::kNvls || best_.speed_intra < 25.0F) return;
    if (rules_.doubling_spares_sm90 && min_sm_ > 80 && best_.speed_intra < 50.0F &&
        best_.channels > 4) {
      return;
    }
    const int doubled = std::min(best_.channels * 2, best_.max_channels);
    for (int c = best_.channels; c < doubled; ++c) {
      const int from = c - best_.channels;
      std::copy_n(best_.gpus.begin() + from * gpus_, gpus_, best_.gpus.begin() + c * gpus_);
      std::copy_n(best_.nets.begin() + from * 2, 2, best_.nets.begin() + c * 2);
    }
    const int times = (doubled + best_.channels - 1) / best_.channels;
    const auto share = static_cast<float>(times);
    best_.speed_intra /= share;
    best_.speed_inter /= share;
    best_.channels = doubled;
  }

  void second_pass() {
    draft_ = best_;
    std::size_t index = 0;
    while (!is_slowest(index) && speed(index) > best_.speed_inter) ++index;
    set_speed(index);
    draft_.min_channels = best_.channels;
    budget_ = Budget{-1, true};
    while (speed_up()) search();
  }

  /// Whether there is a higher speed to try; false after a search that ran out of steps.
  bool speed_up() {
    if ((!budget_.perfect && budget_.steps == 0) || index_ == 0) return false;
    if (best_.pattern == Pattern::kRing) {
      if (!rules_.double_before_pass2) return false;
      set_speed(index_ - 1);
      return true;
    }
    if (rules_.nvls_counts_inter && best_.pattern == Pattern::kNvls &&
        draft_.speed_inter == best_.speed_inter && draft_.speed_inter < draft_.speed_intra * 2) {
      draft_.min_channels = draft_.max_channels = best_.channels;
      draft_.speed_inter = speed(--index_);
      return true;
    }
    if (draft_.speed_intra == best_.speed_intra && draft_.speed_intra < draft_.speed_inter * 2) {
      draft_.speed_intra = speed(--index_);
      return true;
    }
    return false;
  }

  /// Uses one slow channel in the order of the GPUs if nothing was found.
  void fall_back() {
    if (best_.channels > 0 || best_.collnet || best_.pattern == Pattern::kNvls) return;
    best_.gpus.assign(static_cast<std::size_t>(best_.max_channels * gpus_), -1);
    best_.nets.assign(static_cast<std::size_t>(best_.max_channels) * 2, 0);
    for (int gpu = 0; gpu < gpus_; ++gpu) best_.gpus[static_cast<std::size_t>(gpu)] = gpu;
    best_.speed_intra = best_.speed_inter = 0.1F;
    best_.type_intra = best_.type_inter = PathType::kSys;
    best_.channels = 1;
  }

  SearchSpace& space_;
  const Connected& node_;
  const Rules& rules_;
  const Constants& constants_;
  int gpus_;
  int min_sm_;
  int cross_nic_setting_;
  float max_speed_, total_speed_;
  int cross_nic_ = 0;
  bool starts_equal_ = true;
  Pattern pattern_ = Pattern::kRing;
  PathType best_intra_{}, best_inter_{}, worst_intra_{}, worst_inter_{};
  std::size_t index_ = 0;
  std::int64_t left_ = 0;
  Budget budget_;
  Draft draft_, best_;
  /// Searches without improvement, which need not be repeated, with their remaining steps.
  std::map<Limits, Budget> no_improvement_;
};

SearchResult result_of(const Draft& draft, std::size_t gpus, bool inter) {
  SearchResult result{draft.pattern,       draft.cross_nic,
                      draft.speed_intra,   draft.speed_inter,
                      draft.type_intra,    draft.type_inter,
                      draft.same_channels, draft.latency_inter,
                      draft.hops,          {}};
  // NCCL shows only the head of an NVLS channel.
  const std::size_t shown = draft.pattern == Pattern::kNvls ? 1 : gpus;
  for (std::size_t c = 0; c < static_cast<std::size_t>(draft.channels); ++c) {
    SearchChannel& channel = result.channels.emplace_back();
    for (std::size_t i = 0; i < shown; ++i) {
      channel.gpus.push_back(static_cast<std::size_t>(draft.gpus[c * gpus + i]));
    }
    if (!inter) continue;
    channel.first_net = static_cast<std::size_t>(draft.nets[c * 2]);
    channel.last_net = static_cast<std::size_t>(draft.nets[c * 2 + 1]);
  }
  return result;
}

Draft wanted(Pattern pattern, int min_channels, int max_channels, bool collnet) {
  Draft draft;
  draft.pattern = pattern;
  draft.collnet = collnet;
  draft.min_channels = min_channels;
  draft.max_channels = max_channels;
  return draft;
}

bool nvls_possible(const Connected& node, const Rules& rules, const Settings& settings) {
  return rules.nvls && settings.nvls_enable.value_or(2) != 0 && !node.graph.nv_switches.empty() &&
         node.graph.multicast && node.graph.min_sm() >= 90 &&
         static_cast<int>(node.graph.gpus.size()) >= rules.nvls_min_gpus;
}

}  // namespace

NodeGraphs search_node(const Connected& node, bool inter, const Rules& rules,
                       const Constants& constants, const Settings& settings) {
  SearchSpace space(node, rules, inter);
  PatternSearch search(space, constants, settings);
  NodeGraphs graphs;
  graphs.max_speed = max_speed(node, inter, constants);
  graphs.total_speed = total_speed(node, inter, rules, constants);
  const std::size_t gpus = node.graph.gpus.size();
  const auto find = [&](const Draft& draft) { return result_of(search.find(draft), gpus, inter); };

  graphs.ring = find(wanted(Pattern::kRing, 1, rules.ring_channels, false));
  const int channels = static_cast<int>(graphs.ring.channels.size());
  graphs.tree = find(wanted(Pattern::kBalancedTree, channels, channels, false));
  if (settings.collnet_enable.value_or(false) && inter) {
    graphs.collnet_chain = find(wanted(Pattern::kTree, channels, channels, true));
    graphs.collnet_direct = find(wanted(Pattern::kCollNetDirect, 1, constants.max_channels, true));
  }
  if (nvls_possible(node, rules, settings)) {
    graphs.nvls = find(wanted(Pattern::kNvls, 1, constants.max_channels, false));
  }
  return graphs;
}

}  // namespace vgsim::collectives::nccl
