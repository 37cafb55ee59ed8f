#include "topology/machine/matrix_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string_view>

namespace vgsim::topology::inventory {
namespace {

/// Groups of rows at one path class (union-find).
class Groups {
 public:
  explicit Groups(std::size_t rows) : parent_(rows) {
    std::iota(parent_.begin(), parent_.end(), std::size_t{0});
  }
  std::size_t of(std::size_t row) {
    while (parent_[row] != row) row = parent_[row] = parent_[parent_[row]];
    return row;
  }
  /// The lower row represents the group.
  void join(std::size_t a, std::size_t b) {
    const std::size_t of_a = of(a);
    const std::size_t of_b = of(b);
    parent_[std::max(of_a, of_b)] = std::min(of_a, of_b);
  }

 private:
  std::vector<std::size_t> parent_;
};

/// 0 for PIX to 3 for NODE; nothing for cells without a PCIe class.
std::optional<int> level_of(std::string_view cell) {
  constexpr std::string_view kLevels[] = {"PIX", "PXB", "PHB", "NODE"};
  for (int level = 0; level < 4; ++level) {
    if (cell == kLevels[level]) return level;
  }
  return std::nullopt;
}

std::optional<std::int64_t> number_of(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// The path classes nest (PIX in PXB in PHB in NODE): each class joins rows into groups of a
/// union-find, one per level, and the groups of a level are the children of those above. Cells
/// between GPUs with NVLinks contain only the NVLinks; such GPUs are placed by their NICs, CPUs and
/// NUMA node.
class TreeOfMatrix {
 public:
  TreeOfMatrix(const PathMatrix& matrix, std::vector<Device> devices)
      : matrix_(matrix), devices_(std::move(devices)) {
    for (int level = 0; level < 4; ++level) {
      levels_.emplace_back(devices_.size());
      join(level);
    }
    find_cpus_of_several_nodes();
    join_numa_nodes();
    join_what_is_not_apart();
  }

  std::vector<NumaNode> build() {
    std::map<std::size_t, std::vector<std::size_t>> nodes = rows_by(levels_[3], all_rows());
    std::vector<NumaNode> numa_nodes;
    for (const auto& [first, rows] : nodes) {
      NumaNode& node = numa_nodes.emplace_back();
      describe(rows, node);
      for (const auto& [root, in_root] : rows_by(levels_[2], rows)) add_root(in_root, node);
    }
    const auto number = [](const NumaNode& node) { return node.id ? node.id->value : -1; };
    std::ranges::stable_sort(
        numa_nodes, [&](const NumaNode& a, const NumaNode& b) { return number(a) < number(b); });
    return numa_nodes;
  }

 private:
  [[nodiscard]] std::vector<std::size_t> all_rows() const {
    std::vector<std::size_t> rows(devices_.size());
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    return rows;
  }

  /// Joins pairs at that level or a nearer one.
  void join(int level) {
    for (std::size_t a = 0; a < devices_.size(); ++a) {
      for (std::size_t b = 0; b < devices_.size(); ++b) {
        const auto near = level_of(matrix_.cells[a][b]);
        if (near && *near <= level) levels_[static_cast<std::size_t>(level)].join(a, b);
      }
    }
  }

  /// Joins rows with the same NUMA node or, without one, with the same CPUs. A GPU with neither
  /// joins the GPU that it has NVLinks to.
  void join_numa_nodes() {
    Groups& nodes = levels_[3];
    std::map<std::string, std::size_t> seen;
    for (std::size_t row = 0; row < devices_.size(); ++row) {
      const std::string key = stated_place(row);
      if (key.empty()) continue;
      const auto [first, is_new] = seen.emplace(key, row);
      if (!is_new) nodes.join(first->second, row);
    }
    for (std::size_t a = 0; a < devices_.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        if (stated_place(a).empty() && matrix_.cells[a][b].starts_with("NV"))
          join_unless_apart(a, b);
      }
    }
  }

  /// Finds CPU lists that do not identify a NUMA node: lists shared by rows with SYS between them,
  /// as in a guest or a container, or lists of all CPUs.
  void find_cpus_of_several_nodes() {
    for (std::size_t a = 0; a < devices_.size(); ++a) {
      const std::string& cpus = matrix_.cpu_list[a];
      if (cpus.empty() || number_of(matrix_.numa[a])) continue;
      for (std::size_t b = 0; b < a; ++b) {
        if (matrix_.cpu_list[b] == cpus && matrix_.cells[a][b] == "SYS") vague_cpus_.insert(cpus);
      }
    }
  }

  /// The NUMA node of a row according to the matrix; empty if unknown.
  [[nodiscard]] std::string stated_place(std::size_t row) const {
    if (number_of(matrix_.numa[row])) return "numa " + matrix_.numa[row];
    const std::string& cpus = matrix_.cpu_list[row];
    return vague_cpus_.count(cpus) > 0 ? std::string() : cpus;
  }

  void join_unless_apart(std::size_t a, std::size_t b) {
    Groups& nodes = levels_[3];
    auto groups = rows_by(nodes, all_rows());
    const std::size_t of_a = nodes.of(a);
    const std::size_t of_b = nodes.of(b);
    if (of_a != of_b && !are_apart(groups[of_a], groups[of_b])) nodes.join(a, b);
  }

  /// Joins rows without NUMA node and CPUs to rows to which their path class is not SYS.
  void join_what_is_not_apart() {
    constexpr std::size_t kMostRows = 256;
    Groups& nodes = levels_[3];
    if (devices_.size() > kMostRows) return;
    const auto is_told = [&](std::size_t row) { return !stated_place(row).empty(); };
    for (const auto& [lead, members] : rows_by(nodes, all_rows())) {
      if (std::ranges::any_of(members, is_told)) continue;
      for (const auto& [other, others] : rows_by(nodes, all_rows())) {
        if (nodes.of(lead) == other || are_apart(members, others)) continue;
        nodes.join(lead, other);
        break;
      }
    }
  }

  [[nodiscard]] bool are_apart(const std::vector<std::size_t>& a,
                               const std::vector<std::size_t>& b) const {
    for (const std::size_t row : a) {
      for (const std::size_t other : b) {
        if (matrix_.cells[row][other] == "SYS" || matrix_.cells[other][row] == "SYS") return true;
      }
    }
    return false;
  }

  std::map<std::size_t, std::vector<std::size_t>> rows_by(Groups& groups,
                                                          const std::vector<std::size_t>& rows) {
    std::map<std::size_t, std::vector<std::size_t>> found;
    for (const std::size_t row : rows) found[groups.of(row)].push_back(row);
    return found;
  }

  void describe(const std::vector<std::size_t>& rows, NumaNode& node) const {
    for (const std::size_t row : rows) {
      const auto id = number_of(matrix_.numa[row]);
      if (id && !node.id) node.id = {*id, matrix_.source};
      const std::string& cpus = matrix_.cpu_list[row];
      if (!cpus.empty() && vague_cpus_.count(cpus) == 0 && !node.cpu_list) {
        node.cpu_list = {cpus, matrix_.source};
      }
    }
  }

  void add_root(const std::vector<std::size_t>& rows, NumaNode& node) {
    const std::string root = fmt::format("rc{}", roots_++);
    for (const auto& [first, in_tree] : rows_by(levels_[1], rows)) {
      const auto by_switch = rows_by(levels_[0], in_tree);
      std::vector<Device> parts;
      for (const auto& [lead, members] : by_switch) {
        const bool needs_switch = members.size() > 1 || by_switch.size() > 1;
        std::vector<Device> below;
        for (const std::size_t row : members) below.push_back(std::move(devices_[row]));
        if (needs_switch) {
          parts.push_back(bridge(std::move(below)));
        } else {
          parts.push_back(std::move(below.front()));
        }
      }
      Device top = parts.size() > 1 ? bridge(std::move(parts)) : std::move(parts.front());
      top.root_complex = {root, kAssumed};
      node.devices.push_back(std::move(top));
    }
  }

  static Device bridge(std::vector<Device> below) {
    Device device;
    device.kind = DeviceKind::kBridge;
    device.below = std::move(below);
    return device;
  }

  const PathMatrix& matrix_;
  std::vector<Device> devices_;
  std::vector<Groups> levels_;
  std::set<std::string> vague_cpus_;  ///< lists shared by rows of several NUMA nodes
  std::size_t roots_ = 0;
};

/// Number of NVLinks in a cell.
std::int64_t links_of(const std::string& cell) {
  if (!cell.starts_with("NV")) return 0;
  return number_of(std::string_view(cell).substr(2)).value_or(0);
}

}  // namespace

std::vector<NumaNode> tree_of_matrix(const PathMatrix& matrix, std::vector<Device> devices) {
  return TreeOfMatrix(matrix, std::move(devices)).build();
}

void add_nvlinks_of_matrix(const PathMatrix& matrix, const std::vector<Device*>& gpus,
                           Inventory& host) {
  constexpr std::int64_t kMostLinks = 18;  // H100 to B300, NVIDIA's data sheets
  std::int64_t most = 0;
  std::int64_t highest = 0;
  for (std::size_t a = 0; a < gpus.size(); ++a) {
    std::int64_t sum = 0;
    for (const std::string& cell : matrix.cells[a]) {
      sum += links_of(cell);
      highest = std::max(highest, links_of(cell));
    }
    most = std::max(most, sum);
  }
  for (Device* gpu : gpus) {
    if (most > 0 || gpu == nullptr || gpus.size() < 2) continue;
    if (!gpu->gpu) gpu->gpu.emplace();
    if (!gpu->gpu->nvlinks_up) gpu->gpu->nvlinks_up = {0, matrix.source};
  }
  if (most == 0) return;
  const bool switched = most > kMostLinks;
  for (std::size_t a = 0; a < gpus.size(); ++a) {
    if (gpus[a] == nullptr) continue;
    if (!gpus[a]->gpu) gpus[a]->gpu.emplace();
    auto& links = gpus[a]->gpu->nvlinks;
    std::int64_t own = 0;
    for (std::size_t b = 0; b < gpus.size(); ++b) {
      const std::int64_t count = links_of(matrix.cells[a][b]);
      own = std::max(own, count);
      if (switched || count == 0 || gpus[b] == nullptr) continue;
      links.push_back({{gpus[b]->bus_id, matrix.source},
                       Stated<std::string>{"030200", kAssumed},
                       {count, matrix.source},
                       std::nullopt});
    }
    if (switched && own > 0) {
      links.push_back({{kHiddenNvSwitch, kAssumed},
                       Stated<std::string>{"068000", kAssumed},
                       {own, matrix.source},
                       std::nullopt});
    }
  }
  host.assumed.push_back(
      switched ? fmt::format("each GPU has {} NVLinks to NVSwitches: to all others directly they "
                             "would be {}, more than any GPU has",
                             highest, most)
               : "NVLinks connect GPUs directly, without NVSwitches: a GPU can have as many");
}

}  // namespace vgsim::topology::inventory
