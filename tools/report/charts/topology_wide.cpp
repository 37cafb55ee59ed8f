#include <fmt/format.h>

#include <algorithm>

#include "tools/report/charts/host_tree.hpp"
#include "tools/report/charts/topology.hpp"
#include "tools/report/charts/topology_columns.hpp"
#include "tools/report/svg.hpp"
#include "tools/report/text.hpp"

namespace vgsim::report {
namespace {

using scenario::DrawnHost;
using scenario::DrawnLink;
using scenario::DrawnNode;
using scenario::TopologyPicture;

constexpr double kWideRow = 27;
constexpr double kWideBox = 20;
constexpr double kWideHeading = 30;
constexpr double kHostGap = 18;

class WidePainter {
 public:
  WidePainter(const TopologyPicture& picture, std::size_t most_hosts)
      : picture_(picture), svg_(kWide.width) {
    for (std::size_t h = 0; h < std::min(most_hosts, picture.hosts.size()); ++h) {
      trees_.push_back(tree_of(picture.hosts[h]));
    }
    columns_ = columns_of(picture, trees_);
  }

  std::string paint(const std::string& title, const std::string& description) {
    double top = 0;
    for (std::size_t h = 0; h < trees_.size(); ++h) top = draw_host(h, top) + kHostGap;
    const double height = std::max(top - kHostGap, 60.0);
    draw_fabric(height);
    return svg_.finish(height + 1, "wide", title, description);
  }

 private:
  const DrawnNode& node(std::size_t h, std::size_t device) const {
    return picture_.hosts[h].nodes[trees_[h].devices[device].node];
  }

  /// "esx01/gpu0".
  std::string of(std::size_t h, std::size_t d) const {
    return picture_.hosts[h].name + "/" + node(h, d).name;
  }

  double left_of(const TreeDevice& device) const {
    return device.leaf ? columns_.devices : columns_.left[device.depth];
  }
  double width_of(const TreeDevice& device) const {
    return device.leaf ? columns_.device_width : columns_.width[device.depth];
  }

  /// The middle of each device's row: leaves below each other, inner nodes centred on their
  /// children.
  static std::vector<double> rows_of(const HostTree& tree, double top) {
    std::vector<double> middle(tree.devices.size());
    std::vector<double> first(tree.devices.size(), -1);
    double y = top + kWideRow / 2;
    for (std::size_t d = 0; d < tree.devices.size(); ++d) {
      if (!tree.devices[d].leaf) continue;
      middle[d] = y;
      y += kWideRow;
    }
    std::vector<double> last(tree.devices.size());
    for (std::size_t d = tree.devices.size(); d-- > 0;) {
      const TreeDevice& device = tree.devices[d];
      if (!device.leaf) middle[d] = (first[d] + last[d]) / 2;
      if (!device.above) continue;
      if (first[*device.above] < 0) last[*device.above] = middle[d];
      first[*device.above] = middle[d];
    }
    return middle;
  }

  double draw_host(std::size_t h, double top) {
    const HostTree& tree = trees_[h];
    const auto leaves = std::count_if(tree.devices.begin(), tree.devices.end(),
                                      [](const TreeDevice& device) { return device.leaf; });
    const double bottom = top + kWideHeading + static_cast<double>(leaves) * kWideRow + 8;
    svg_.rect(0.5, top + 0.5, columns_.host_end - 1, bottom - top - 1,
              {"box", {}, picture_.hosts[h].name}, 6);
    svg_.text(
        {kTopologyPad, top + 20},
        shortened(host_heading(picture_.hosts[h]), kNameSize, columns_.host_end - 2 * kTopologyPad),
        {"name"});
    const auto middle = rows_of(tree, top + kWideHeading);
    draw_nvlinks(h, middle);
    draw_ports(h, middle);
    draw_peers(h, middle);
    draw_links(h, middle);
    for (std::size_t d = 0; d < tree.devices.size(); ++d) draw_device(h, d, middle[d]);
    for (const MachineOutline& outline : outlines_of(picture_.hosts[h], tree)) {
      draw_outline(tree, outline, middle);
    }
    return bottom;
  }

  /// Outlines of VMs that share a device are nested.
  void draw_outline(const HostTree& tree, const MachineOutline& outline,
                    const std::vector<double>& middle) {
    constexpr double kRoom = 3;
    const double room = std::max(kRoom - static_cast<double>(outline.inside) * 1.5, 1.0);
    for (const auto& [first, last] : outline.runs) {
      svg_.rect(columns_.devices - room, middle[first] - kWideBox / 2 - room,
                width_of(tree.devices[first]) + 2 * room,
                middle[last] - middle[first] + kWideBox + 2 * room,
                {outline.look, "VM " + outline.machine}, 5);
    }
  }

  void draw_device(std::size_t h, std::size_t d, double y) {
    const TreeDevice& device = trees_[h].devices[d];
    const DrawnNode& drawn = node(h, d);
    const std::string model = drawn.model.empty() ? drawn.kind : drawn.model;
    const double left = left_of(device);
    const double width = width_of(device);
    svg_.rect(left, y - kWideBox / 2, width, kWideBox, {"node", model, of(h, d)}, 3);
    svg_.text({left + 7, y + 4}, shortened(drawn.name, kTextSize, width - 12));
  }

  /// Busy links are drawn last, on top.
  void draw_links(std::size_t h, const std::vector<double>& middle) {
    const HostTree& tree = trees_[h];
    std::vector<std::size_t> order;
    for (std::size_t d = 0; d < tree.devices.size(); ++d) {
      if (tree.devices[d].link) order.push_back(d);
    }
    const auto link_of = [&](std::size_t d) -> const DrawnLink& {
      return picture_.hosts[h].links[*tree.devices[d].link];
    };
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return link_of(a).utilization < link_of(b).utilization;
    });
    for (const std::size_t d : order) {
      const TreeDevice& device = tree.devices[d];
      const TreeDevice& above = tree.devices[*device.above];
      const double begin = left_of(above) + width_of(above);
      const double turn = begin + 10;
      const double end = left_of(device);
      const DrawnLink& link = link_of(d);
      svg_.polyline(
          {{begin, middle[*device.above]},
           {turn, middle[*device.above]},
           {turn, middle[d]},
           {end, middle[d]}},
          {load_look(link.utilization) + " link",
           load_title(node(h, d).name, link.rate, link.bytes, link.utilization), of(h, d)});
    }
    for (const std::size_t d : order) {
      const double end = left_of(tree.devices[d]);
      svg_.text({end - 5, middle[d] - 5}, load_text(link_of(d).utilization), {}, Anchor::kEnd);
    }
  }

  void draw_ports(std::size_t h, const std::vector<double>& middle) {
    const HostTree& tree = trees_[h];
    for (std::size_t d = 0; d < tree.devices.size() && has_network(picture_); ++d) {
      if (!tree.ports[d]) continue;
      const DrawnLink& link = picture_.hosts[h].links[*tree.ports[d]];
      svg_.line({columns_.devices + columns_.device_width, middle[d]}, {columns_.leaves, middle[d]},
                {load_look(link.utilization) + " link",
                 load_title(node(h, d).name, link.rate, link.bytes, link.utilization), of(h, d)});
      svg_.text({columns_.leaves - 8, middle[d] - 6}, load_text(link.utilization), {},
                Anchor::kEnd);
    }
  }

  void draw_nvlinks(std::size_t h, const std::vector<double>& middle) {
    const HostTree& tree = trees_[h];
    if (!tree.nv_switches.empty()) draw_switch(h, middle);
    const double start = columns_.devices + columns_.device_width;
    double busiest = 0;
    double last_lane = 0;
    for (const PeerLink& peer : tree.nvlinks) {
      const DrawnLink& link = picture_.hosts[h].links[peer.link];
      const double x = columns_.nvlinks + static_cast<double>(peer.lane) * kTopologyLane;
      const double from = middle[peer.from] + 4;
      const double to = middle[peer.to] - 4;
      svg_.polyline({{start, from}, {x, from}, {x, to}, {start, to}},
                    {load_look(link.utilization) + " link",
                     load_title("NVLink " + node(h, peer.from).name + " - " + node(h, peer.to).name,
                                link.rate, link.bytes, link.utilization),
                     of(h, peer.from)});
      busiest = std::max(busiest, link.utilization);
      last_lane = std::max(last_lane, x);
      if (in_one_lane(tree.nvlinks)) {
        svg_.text({x + 6, (from + to) / 2 + 4}, "NVLink " + load_text(link.utilization),
                  {"in-box"});
      }
    }
    if (!in_one_lane(tree.nvlinks)) {
      const double y = (middle[tree.nvlinks.front().from] + middle[tree.nvlinks.back().to]) / 2;
      svg_.text({last_lane + 6, y + 4}, "NVLink " + load_text(busiest), {"in-box"});
    }
  }

  /// One box for GPUs in adjacent rows, connected to the next across the rows between.
  void draw_switch(std::size_t h, const std::vector<double>& middle) {
    const HostTree& tree = trees_[h];
    const double start = columns_.devices + columns_.device_width;
    const double left = start + 52;
    constexpr double kWidth = 84;
    struct Run {
      double top = 0;
      double bottom = 0;
    };
    std::vector<Run> runs;
    bool goes_on = false;
    for (std::size_t d = 0; d < tree.devices.size(); ++d) {
      if (!tree.devices[d].leaf) continue;
      if (!tree.to_switches[d]) {
        goes_on = false;
        continue;
      }
      if (!goes_on) runs.push_back({middle[d], middle[d]});
      runs.back().bottom = middle[d];
      goes_on = true;
      svg_.line(
          {start, middle[d]}, {left, middle[d]},
          {load_look(*tree.to_switches[d]) + " link",
           fmt::format("NVLinks of {}: {:.1f} % used", node(h, d).name, *tree.to_switches[d] * 100),
           of(h, d)});
      svg_.text({left - 6, middle[d] - 5}, load_text(*tree.to_switches[d]), {}, Anchor::kEnd);
    }
    for (std::size_t r = 0; r + 1 < runs.size(); ++r) {
      svg_.rect(left + kWidth / 2 - 5, runs[r].bottom, 10, runs[r + 1].top - runs[r].bottom,
                {"node"});
    }
    const Run* longest = &runs.front();
    for (const Run& run : runs) {
      svg_.rect(left, run.top - kWideBox / 2, kWidth, run.bottom - run.top + kWideBox, {"node"}, 3);
      if (run.bottom - run.top > longest->bottom - longest->top) longest = &run;
    }
    svg_.text({left + kWidth / 2, (longest->top + longest->bottom) / 2 + 4},
              shortened(tree.nv_switches, kTextSize, kWidth - 4), {}, Anchor::kMiddle);
  }

  void draw_peers(std::size_t h, const std::vector<double>& middle) {
    for (const PeerLink& peer : trees_[h].others) {
      const DrawnLink& link = picture_.hosts[h].links[peer.link];
      const double end = columns_.left.front();
      const double x = end - 10 - static_cast<double>(peer.lane) * kTopologyLane;
      svg_.polyline({{end, middle[peer.from] + 4},
                     {x, middle[peer.from] + 4},
                     {x, middle[peer.to] - 4},
                     {end, middle[peer.to] - 4}},
                    {load_look(link.utilization) + " link",
                     load_title("between sockets", link.rate, link.bytes, link.utilization)});
      svg_.text({x - 5, (middle[peer.from] + middle[peer.to]) / 2 + 4}, load_text(link.utilization),
                {}, Anchor::kEnd);
    }
  }

  void draw_fabric(double height) {
    if (!has_network(picture_)) return;
    const double middle = height / 2;
    const auto box = [&](double left, const std::string& words) {
      svg_.rect(left, 0.5, kTopologyFabricBox - 1, height - 1, {"box"}, 6);
      svg_.text({left + kTopologyFabricBox / 2, 20}, words, {"name"}, Anchor::kMiddle);
    };
    if (picture_.spines > 0) {
      svg_.line({columns_.leaves + kTopologyFabricBox - 1, middle}, {columns_.spines, middle},
                {"load0 w0 link"});
    }
    if (const auto* uplink = busiest_uplink(picture_); uplink != nullptr && picture_.spines > 0) {
      svg_.line({columns_.leaves + kTopologyFabricBox - 1, middle}, {columns_.spines, middle},
                {load_look(uplink->utilization) + " link",
                 load_title(uplink->name, uplink->rate, uplink->bytes, uplink->utilization)});
      svg_.text({columns_.spines - 8, middle - 6}, load_text(uplink->utilization), {},
                Anchor::kEnd);
    }
    box(columns_.leaves, leaves_heading(picture_));
    if (picture_.spines > 0) {
      box(columns_.spines,
          fmt::format("{} spine{}", picture_.spines, picture_.spines == 1 ? "" : "s"));
    }
  }

  const TopologyPicture& picture_;
  Svg svg_;
  std::vector<HostTree> trees_;
  TopologyColumns columns_;
};

}  // namespace

std::string topology_wide(const TopologyPicture& picture, const std::string& title,
                          const std::string& description, std::size_t most_hosts) {
  return WidePainter(picture, most_hosts).paint(title, description);
}

}  // namespace vgsim::report
