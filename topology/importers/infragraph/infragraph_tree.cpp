#include "topology/importers/infragraph/infragraph_tree.hpp"

#include <algorithm>
#include <deque>
#include <numeric>
#include <set>
#include <string_view>
#include <utility>

namespace vgsim::topology::infragraph {
namespace {

constexpr std::size_t kMaxDepth = 32;

bool is_inner(Role role) {
  return role == Role::kCpu || role == Role::kBridge || role == Role::kRoot ||
         role == Role::kConnector;
}

bool is_leaf(Role role) {
  return role == Role::kGpu || role == Role::kNic || role == Role::kNvSwitch ||
         role == Role::kStorage || role == Role::kOther;
}

/// What a join is for the tree.
enum class Use : std::uint8_t {
  kNone,
  kAttach,
  kDirect,  ///< between a GPU and a NIC
  kLate,    ///< GPU to CPU over NVLink-C2C and the like: where PCIe does not place it
};

/// A document has edges, not a tree, and draws them from either end. CPUs are the roots: the tree
/// is grown from all of them at once, breadth first, over edges that can be PCIe, so that
/// everything hangs on the CPU that it has the shortest way to. GPUs and NICs that are only joined
/// to each other get a switch that the document does not show; GPUs that only NVLink-C2C joins to a
/// CPU come last.
class TreeBuilder {
 public:
  explicit TreeBuilder(const Expansion& host) : host_(host) {
    for (const Vertex& vertex : host.vertices) roles_.push_back(vertex.role);
  }

  /// False if the tree is too deep.
  [[nodiscard]] bool build();

  Tree tree;

 private:
  struct Neighbour {
    std::uint32_t vertex = 0;
    const Link* link = nullptr;
  };
  struct Parent {
    std::uint32_t vertex = 0;
    const Link* link = nullptr;
    std::size_t depth = 0;
  };

  [[nodiscard]] Use use_of(const Join& join) const;
  [[nodiscard]] Role role(std::uint32_t vertex) const { return roles_[vertex]; }
  void attach(std::uint32_t a, std::uint32_t b, const Link* link);
  void infer_bridges();
  void connect_joins();
  void adopt_from(std::deque<std::uint32_t> queue);
  [[nodiscard]] bool is_too_deep() const { return deepest_ > kMaxDepth; }
  [[nodiscard]] bool visited(std::uint32_t vertex) const { return visited_[vertex]; }
  void adopt(std::uint32_t vertex, Parent parent);
  void adopt_late();
  void place_the_rest();
  void make(const Neighbour& child, std::vector<const Link*> links,
            std::optional<std::uint32_t> root, std::vector<Branch>& into) const;
  [[nodiscard]] std::vector<Branch> below(std::uint32_t vertex) const;

  const Expansion& host_;
  std::vector<Role> roles_;  ///< also of inferred bridges
  std::vector<std::vector<Neighbour>> neighbours_;
  std::vector<std::vector<Neighbour>> children_;
  std::vector<bool> visited_;
  std::vector<std::size_t> depth_;
  std::vector<std::uint32_t> bridge_of_;  ///< inferred, by GPU or NIC; itself if none
  std::set<std::pair<std::uint32_t, std::uint32_t>> attached_;
  std::size_t deepest_ = 0;
  std::size_t adopted_ = 0;  ///< by attached joins
};

Use TreeBuilder::use_of(const Join& join) const {
  const Role a = role(join.a);
  const Role b = role(join.b);
  const LinkKind kind = join.kind;
  const auto is_pair = [&](Role one, Role other) {
    return (a == one && b == other) || (a == other && b == one);
  };
  const bool is_of_gpus =
      kind == LinkKind::kNvLink || kind == LinkKind::kXgmi || kind == LinkKind::kC2c;
  if (is_of_gpus) return is_pair(Role::kCpu, Role::kGpu) ? Use::kLate : Use::kNone;
  if (kind == LinkKind::kMemory || kind == LinkKind::kNetwork) return Use::kNone;
  if (is_pair(Role::kCpu, Role::kCpu)) return Use::kNone;
  if (is_pair(Role::kGpu, Role::kNic)) return Use::kDirect;
  const bool fits = (is_inner(a) || is_leaf(a)) && (is_inner(b) || is_leaf(b));
  return fits && (is_inner(a) || is_inner(b)) ? Use::kAttach : Use::kNone;
}

void TreeBuilder::attach(std::uint32_t a, std::uint32_t b, const Link* link) {
  if (a == b || !attached_.emplace(std::min(a, b), std::max(a, b)).second) return;
  neighbours_[a].push_back({b, link});
  neighbours_[b].push_back({a, link});
}

/// GPUs and NICs that are joined directly, and do not have another join each, are taken as below
/// one switch: no GPU passes PCIe on.
void TreeBuilder::infer_bridges() {
  const std::size_t count = roles_.size();
  std::vector<bool> has_own(count);
  std::vector<std::uint32_t> group(count);
  std::iota(group.begin(), group.end(), 0u);
  const auto leader = [&](std::uint32_t vertex) {
    while (group[vertex] != vertex) vertex = group[vertex] = group[group[vertex]];
    return vertex;
  };
  for (const Join& join : host_.joins) {
    if (use_of(join) == Use::kAttach) has_own[join.a] = has_own[join.b] = true;
  }
  std::vector<bool> is_joined(count);
  for (const Join& join : host_.joins) {
    if (use_of(join) != Use::kDirect) continue;
    if (has_own[role(join.a) == Role::kNic ? join.a : join.b]) {
      ++tree.unused_joins;
      continue;
    }
    group[leader(join.a)] = leader(join.b);
    is_joined[join.a] = is_joined[join.b] = true;
  }
  bridge_of_.resize(count);
  std::iota(bridge_of_.begin(), bridge_of_.end(), 0u);
  std::vector<std::uint32_t> bridges(count);
  for (std::uint32_t vertex = 0; vertex < count; ++vertex) {
    if (!is_joined[vertex]) continue;
    std::uint32_t& bridge = bridges[leader(vertex)];
    if (bridge == 0) {
      bridge = static_cast<std::uint32_t>(roles_.size());
      roles_.push_back(Role::kBridge);
    }
    bridge_of_[vertex] = bridge;
    tree.has_inferred_bridges = true;
  }
}

void TreeBuilder::connect_joins() {
  neighbours_.resize(roles_.size());
  for (const Join& join : host_.joins) {
    const Use use = use_of(join);
    if (use == Use::kAttach) attach(bridge_of_[join.a], bridge_of_[join.b], join.link);
    if (use == Use::kDirect) {
      for (const std::uint32_t vertex : {join.a, join.b}) {
        if (bridge_of_[vertex] != vertex) attach(bridge_of_[vertex], vertex, join.link);
      }
    }
  }
}

void TreeBuilder::adopt(std::uint32_t vertex, Parent parent) {
  visited_[vertex] = true;
  depth_[vertex] = parent.depth + 1;
  children_[parent.vertex].push_back({vertex, parent.link});
  deepest_ = std::max(deepest_, depth_[vertex]);
}

/// Breadth first, so that each hangs on what is nearest to where the queue began.
void TreeBuilder::adopt_from(std::deque<std::uint32_t> queue) {
  for (const std::uint32_t vertex : queue) visited_[vertex] = true;
  while (!queue.empty()) {
    const std::uint32_t vertex = queue.front();
    queue.pop_front();
    for (const auto& [next, link] : neighbours_[vertex]) {
      if (visited(next)) continue;
      ++adopted_;
      adopt(next, {vertex, link, depth_[vertex]});
      if (is_inner(role(next))) queue.push_back(next);
    }
  }
}

void TreeBuilder::adopt_late() {
  for (const Join& join : host_.joins) {
    if (use_of(join) != Use::kLate) continue;
    const bool is_first = role(join.a) == Role::kGpu;
    const std::uint32_t gpu = bridge_of_[is_first ? join.a : join.b];
    const std::uint32_t cpu = is_first ? join.b : join.a;
    if (visited(gpu) || !visited(cpu)) continue;
    adopt(gpu, {cpu, join.link, depth_[cpu]});
    if (is_inner(role(gpu))) adopt_from({gpu});
    tree.has_c2c = true;
  }
}

/// Trees without a CPU, then single devices.
void TreeBuilder::place_the_rest() {
  for (std::uint32_t vertex = 0; vertex < roles_.size(); ++vertex) {
    if (visited(vertex) || !is_inner(role(vertex)) || neighbours_[vertex].empty()) continue;
    adopt_from({vertex});
    if (is_too_deep()) return;
    make({vertex, nullptr}, {}, std::nullopt, tree.unplaced);
  }
  for (std::uint32_t vertex = 0; vertex < host_.vertices.size(); ++vertex) {
    const Role alone = role(vertex);
    const bool counts = alone == Role::kGpu || alone == Role::kNic || alone == Role::kStorage;
    if (counts && !visited(vertex)) make({vertex, nullptr}, {}, std::nullopt, tree.unplaced);
  }
}

std::vector<Branch> TreeBuilder::below(std::uint32_t vertex) const {
  std::vector<Branch> branches;
  for (const Neighbour& child : children_[vertex]) {
    make(child, {child.link}, std::nullopt, branches);
  }
  return branches;
}

void TreeBuilder::make(const Neighbour& child, std::vector<const Link*> links,
                       std::optional<std::uint32_t> root, std::vector<Branch>& into) const {
  const Role kind = role(child.vertex);
  if (kind == Role::kRoot) {
    for (const Neighbour& next : children_[child.vertex]) {
      make(next, {next.link}, child.vertex, into);
    }
    return;
  }
  const auto& next = children_[child.vertex];
  if (kind == Role::kConnector && next.size() <= 1) {
    if (next.empty()) return;
    links.push_back(next.front().link);
    return make(next.front(), std::move(links), root, into);
  }
  Branch branch;
  branch.vertex = child.vertex;
  branch.root = root;
  branch.is_bridge = kind == Role::kBridge || kind == Role::kConnector;
  branch.without_pcie = kind == Role::kNic && links.size() == 1 && links.front() != nullptr &&
                        links.front()->name == "cpu_nic";
  branch.links = std::move(links);
  branch.below = below(child.vertex);
  into.push_back(std::move(branch));
}

bool TreeBuilder::build() {
  infer_bridges();
  connect_joins();
  visited_.resize(roles_.size());
  depth_.resize(roles_.size());
  children_.resize(roles_.size());
  std::deque<std::uint32_t> cpus;
  for (std::uint32_t vertex = 0; vertex < roles_.size(); ++vertex) {
    if (role(vertex) == Role::kCpu) cpus.push_back(vertex);
  }
  adopt_from(cpus);
  adopt_late();
  if (is_too_deep()) return false;
  for (const std::uint32_t cpu : cpus) tree.of_cpus.push_back(below(cpu));
  place_the_rest();
  tree.unused_joins += attached_.size() - adopted_;
  return !is_too_deep();
}

}  // namespace

std::optional<Tree> build_tree(const Expansion& host) {
  TreeBuilder builder(host);
  if (!builder.build()) return std::nullopt;
  return std::move(builder.tree);
}

}  // namespace vgsim::topology::infragraph
