#include "tools/report/charts/host_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "sim/units.hpp"
#include "topology/input/units/unit_strings.hpp"

namespace vgsim::report {
namespace {

using scenario::DrawnHost;
using scenario::DrawnLink;

constexpr double kIdle = 0.0005;  ///< below this utilization a link is drawn as idle

bool joins_peers(const std::string& kind) { return kind == "nvlink" || kind == "socket-link"; }

/// The order of devices on the same switch.
int order_of(const std::string& kind) {
  if (kind == "memory") return 0;
  if (kind == "PCIe switch" || kind == "root complex") return 1;
  if (kind == "GPU") return 2;
  return kind == "NIC" ? 3 : 4;
}

class Builder {
 public:
  explicit Builder(const DrawnHost& host) : host_(host), seen_(host.nodes.size(), false) {}

  HostTree build() {
    for (std::size_t n = 0; n < host_.nodes.size(); ++n) {
      if (host_.nodes[n].kind == "socket") add(n, std::nullopt, std::nullopt, 0);
    }
    for (std::size_t n = 0; n < host_.nodes.size(); ++n) {
      if (!seen_[n] && host_.nodes[n].kind != "NVSwitch") add(n, std::nullopt, std::nullopt, 0);
    }
    prune();
    join();
    return std::move(tree_);
  }

 private:
  struct Below {
    std::size_t node;
    std::size_t link;
  };

  std::vector<Below> below(std::size_t node) const {
    std::vector<Below> result;
    for (std::size_t l = 0; l < host_.links.size(); ++l) {
      const DrawnLink& link = host_.links[l];
      if (joins_peers(link.kind) || (link.from != node && link.to != node)) continue;
      const std::size_t other = link.from == node ? link.to : link.from;
      if (!seen_[other] && other != node) result.push_back({other, l});
    }
    std::sort(result.begin(), result.end(), [&](const Below& a, const Below& b) {
      return std::tuple(order_of(host_.nodes[a.node].kind), a.node, a.link) <
             std::tuple(order_of(host_.nodes[b.node].kind), b.node, b.link);
    });
    return result;
  }

  void add(std::size_t node, std::optional<std::size_t> above, std::optional<std::size_t> link,
           std::size_t depth) {
    seen_[node] = true;
    const std::size_t place = tree_.devices.size();
    tree_.devices.push_back({node, above, link, depth, true});
    for (const Below& next : below(node)) {
      if (!seen_[next.node]) add(next.node, place, next.link, depth + 1);
    }
  }

  bool matters(const TreeDevice& device) const {
    const std::string& kind = host_.nodes[device.node].kind;
    if (kind == "memory") return device.link && host_.links[*device.link].utilization >= kIdle;
    return kind == "GPU" || kind == "NIC" || kind == "storage";
  }

  void prune() {
    auto& devices = tree_.devices;
    std::vector<bool> kept(devices.size());
    for (std::size_t d = devices.size(); d-- > 0;) {
      if (matters(devices[d])) kept[d] = true;
      if (kept[d] && devices[d].above) kept[*devices[d].above] = true;
    }
    std::vector<std::size_t> place(devices.size());
    std::vector<TreeDevice> left;
    for (std::size_t d = 0; d < devices.size(); ++d) {
      if (!kept[d]) continue;
      place[d] = left.size();
      TreeDevice device = devices[d];
      if (device.above) {
        device.above = place[*device.above];
        left[*device.above].leaf = false;
      }
      left.push_back(device);
    }
    devices = std::move(left);
    for (const TreeDevice& device : devices) {
      if (!device.leaf) tree_.depth = std::max(tree_.depth, device.depth);
    }
  }

  void join() {
    std::vector<std::optional<std::size_t>> place(host_.nodes.size());
    for (std::size_t d = 0; d < tree_.devices.size(); ++d) place[tree_.devices[d].node] = d;
    tree_.to_switches.resize(tree_.devices.size());
    tree_.ports.resize(tree_.devices.size());
    name_switches();
    for (std::size_t l = 0; l < host_.links.size(); ++l) {
      const DrawnLink& link = host_.links[l];
      const auto from = place[link.from];
      const auto to = place[link.to];
      if (link.from == link.to) {
        if (from) tree_.ports[*from] = l;
      } else if (from && to && joins_peers(link.kind)) {
        auto& peers = link.kind == "nvlink" ? tree_.nvlinks : tree_.others;
        peers.push_back({std::min(*from, *to), std::max(*from, *to), l, 0});
      } else if (link.kind == "nvlink" && (from || to)) {
        auto& used = tree_.to_switches[from ? *from : *to];
        used = std::max(used.value_or(0), link.utilization);
      }
    }
    give_lanes(tree_.nvlinks);
    give_lanes(tree_.others);
  }

  void name_switches() {
    std::int64_t count = 0;
    bool any = false;
    bool all_said = true;
    for (const auto& node : host_.nodes) {
      if (node.kind != "NVSwitch") continue;
      any = true;
      count += node.parts;
      all_said &= node.parts > 0;
    }
    if (!any) return;
    tree_.nv_switches = !all_said    ? "NVSwitches"
                        : count == 1 ? "1 NVSwitch"
                                     : fmt::format("{} NVSwitches", count);
  }

  /// Short links get the inner lanes.
  static void give_lanes(std::vector<PeerLink>& links) {
    std::sort(links.begin(), links.end(), [](const PeerLink& a, const PeerLink& b) {
      return std::tuple(a.to - a.from, a.from, a.link) < std::tuple(b.to - b.from, b.from, b.link);
    });
    for (std::size_t i = 0; i < links.size(); ++i) {
      const auto collides = [&](std::size_t lane) {
        return std::any_of(links.begin(), links.begin() + static_cast<std::ptrdiff_t>(i),
                           [&](const PeerLink& other) {
                             return other.lane == lane && other.from <= links[i].to &&
                                    links[i].from <= other.to;
                           });
      };
      while (collides(links[i].lane)) ++links[i].lane;
    }
  }

  const DrawnHost& host_;
  std::vector<bool> seen_;
  HostTree tree_;
};

}  // namespace

HostTree tree_of(const DrawnHost& host) { return Builder(host).build(); }

bool in_one_lane(const std::vector<PeerLink>& links) {
  return std::all_of(links.begin(), links.end(),
                     [](const PeerLink& link) { return link.lane == 0; });
}

std::string load_look(double utilization) {
  if (utilization < kIdle) return "load0 w0";
  const int step = std::clamp(static_cast<int>(utilization * 5) + 1, 1, 5);
  return fmt::format("load{0} w{0}", step);
}

std::string load_text(double utilization) {
  if (utilization < kIdle) return {};
  if (utilization < 0.01) return "<1 %";
  return fmt::format("{:.0f} %", utilization * 100);
}

std::string load_title(const std::string& name, double rate, double bytes, double utilization) {
  const std::string of =
      rate > 0 ? " of " + input::format_rate(BytesPerSecond{std::llround(rate)}) : std::string();
  return fmt::format("{}: {}, {:.1f} % used{}", name,
                     input::format_bytes(Bytes{std::llround(bytes)}), utilization * 100, of);
}

std::vector<MachineOutline> outlines_of(const DrawnHost& host, const HostTree& tree) {
  constexpr std::size_t kColours = 6;
  std::vector<MachineOutline> outlines;
  std::vector<std::size_t> holders(tree.devices.size(), 0);
  for (const auto& holding : host.holdings) {
    MachineOutline outline;
    outline.machine = holding.machine;
    outline.look = fmt::format("s{} vm", outlines.size() % kColours);
    bool goes_on = false;
    for (std::size_t d = 0; d < tree.devices.size(); ++d) {
      if (!tree.devices[d].leaf) continue;
      const std::string& name = host.nodes[tree.devices[d].node].name;
      const bool has =
          std::find(holding.devices.begin(), holding.devices.end(), name) != holding.devices.end();
      if (has && !goes_on) outline.runs.emplace_back(d, d);
      if (has) {
        outline.runs.back().second = d;
        outline.devices.push_back(d);
        outline.inside = std::max(outline.inside, holders[d]++);
      }
      goes_on = has;
    }
    if (!outline.devices.empty()) outlines.push_back(std::move(outline));
  }
  return outlines;
}

}  // namespace vgsim::report
