#include <fmt/format.h>

#include <algorithm>

#include "tools/report/charts/host_tree.hpp"
#include "tools/report/charts/topology.hpp"
#include "tools/report/svg.hpp"
#include "tools/report/text.hpp"

namespace vgsim::report {
namespace {

using scenario::DrawnLink;
using scenario::DrawnNode;
using scenario::TopologyPicture;

constexpr double kNarrowRow = 25;
constexpr double kNarrowBox = 20;
constexpr double kNarrowHeading = 30;
constexpr double kIndent = 22;
constexpr double kLane = 9;
constexpr double kNarrowGap = 14;
constexpr double kFabricBox = 46;
constexpr double kLanes = 226;  ///< begin of the lanes of NVLinks

class NarrowPainter {
 public:
  NarrowPainter(const TopologyPicture& picture, std::size_t most_hosts)
      : picture_(picture), most_hosts_(most_hosts), svg_(kNarrow.width), port_(kNarrow.width - 8) {}

  std::string paint(const std::string& title, const std::string& description) {
    double height = 0;
    for (std::size_t h = 0; h < std::min(most_hosts_, picture_.hosts.size()); ++h) {
      const HostTree& tree = trees_.emplace_back(tree_of(picture_.hosts[h]));
      height +=
          kNarrowHeading + static_cast<double>(tree.devices.size()) * kNarrowRow + 8 + kNarrowGap;
    }
    double top = 0;
    for (std::size_t h = 0; h < trees_.size(); ++h) top = draw_host(h, top, height) + kNarrowGap;
    if (!has_network(picture_))
      return svg_.finish(top - kNarrowGap + 1, "narrow", title, description);
    draw_fabric(height);
    return svg_.finish(height + kFabricBox + 1, "narrow", title, description);
  }

 private:
  const DrawnNode& node(std::size_t h, std::size_t device) const {
    return picture_.hosts[h].nodes[trees_[h].devices[device].node];
  }

  std::string of(std::size_t h, std::size_t d) const {
    return picture_.hosts[h].name + "/" + node(h, d).name;
  }

  static double left_of(const TreeDevice& device) {
    return 16 + static_cast<double>(device.depth) * kIndent;
  }

  double draw_host(std::size_t h, double top, double fabric) {
    const HostTree& tree = trees_[h];
    const double bottom =
        top + kNarrowHeading + static_cast<double>(tree.devices.size()) * kNarrowRow + 8;
    svg_.rect(0.5, top + 0.5, kNarrow.width - 1, bottom - top - 1,
              {"box", {}, picture_.hosts[h].name}, 6);
    svg_.text({10, top + 20},
              shortened(host_heading(picture_.hosts[h]), kNameSize, kNarrow.width - 20), {"name"});
    std::vector<double> middle;
    for (std::size_t d = 0; d < tree.devices.size(); ++d) {
      middle.push_back(top + kNarrowHeading + (static_cast<double>(d) + 0.5) * kNarrowRow);
    }
    draw_ports(h, middle, fabric);
    draw_nvlinks(h, middle);
    draw_peers(h, middle);
    draw_links(h, middle);
    for (std::size_t d = 0; d < tree.devices.size(); ++d) draw_device(h, d, middle[d]);
    for (const MachineOutline& outline : outlines_of(picture_.hosts[h], tree)) {
      draw_outline(h, outline, middle);
    }
    return bottom;
  }

  /// A bar before each device of a VM; bars of VMs that share one are side by side.
  void draw_outline(std::size_t h, const MachineOutline& outline,
                    const std::vector<double>& middle) {
    for (const std::size_t d : outline.devices) {
      const double x = left_of(trees_[h].devices[d]) + 2 + static_cast<double>(outline.inside) * 2;
      svg_.line({x, middle[d] - kNarrowBox / 2 + 2}, {x, middle[d] + kNarrowBox / 2 - 2},
                {outline.look, "VM " + outline.machine});
    }
  }

  double box_width(std::size_t h, std::size_t d) const {
    return std::min(text_width(node(h, d).name, kTextSize), 96.0) + 14;
  }

  double right_of(std::size_t h, std::size_t d) const {
    return left_of(trees_[h].devices[d]) + box_width(h, d);
  }

  /// The begin of a line to the right of a device, behind the load of its link to its parent.
  double free_from(std::size_t h, std::size_t d) const {
    const TreeDevice& device = trees_[h].devices[d];
    const std::string load =
        device.link ? load_text(picture_.hosts[h].links[*device.link].utilization) : std::string();
    return right_of(h, d) + (load.empty() ? 0 : text_width(load, kTextSize) + 11);
  }

  void draw_device(std::size_t h, std::size_t d, double y) {
    const DrawnNode& drawn = node(h, d);
    const double left = left_of(trees_[h].devices[d]);
    const double width = box_width(h, d);
    svg_.rect(left, y - kNarrowBox / 2, width, kNarrowBox, {"node", drawn.model, of(h, d)}, 3);
    svg_.text({left + 7, y + 4}, shortened(drawn.name, kTextSize, width - 12));
  }

  void draw_links(std::size_t h, const std::vector<double>& middle) {
    const HostTree& tree = trees_[h];
    for (std::size_t d = tree.devices.size(); d-- > 0;) {
      const TreeDevice& device = tree.devices[d];
      if (!device.link) continue;
      const DrawnLink& link = picture_.hosts[h].links[*device.link];
      const double x = left_of(tree.devices[*device.above]) + 9;
      svg_.polyline({{x, middle[*device.above] + kNarrowBox / 2},
                     {x, middle[d]},
                     {left_of(device), middle[d]}},
                    {load_look(link.utilization) + " link",
                     load_title(node(h, d).name, link.rate, link.bytes, link.utilization)});
      svg_.text({right_of(h, d) + 6, middle[d] + 4}, load_text(link.utilization), {"in-box"});
    }
  }

  void draw_ports(std::size_t h, const std::vector<double>& middle, double fabric) {
    const HostTree& tree = trees_[h];
    for (std::size_t d = 0; d < tree.devices.size() && has_network(picture_); ++d) {
      if (!tree.ports[d]) continue;
      const DrawnLink& link = picture_.hosts[h].links[*tree.ports[d]];
      svg_.polyline({{free_from(h, d), middle[d]}, {port_, middle[d]}, {port_, fabric}},
                    {load_look(link.utilization) + " link",
                     load_title(node(h, d).name, link.rate, link.bytes, link.utilization)});
      svg_.text({port_ - 6, middle[d] - 5}, load_text(link.utilization), {"in-box"}, Anchor::kEnd);
    }
  }

  void draw_nvlinks(std::size_t h, const std::vector<double>& middle) {
    const HostTree& tree = trees_[h];
    double busiest = 0;
    for (const PeerLink& peer : tree.nvlinks) {
      const DrawnLink& link = picture_.hosts[h].links[peer.link];
      const double x = kLanes + static_cast<double>(peer.lane) * kLane;
      svg_.polyline({{free_from(h, peer.from), middle[peer.from] + 4},
                     {x, middle[peer.from] + 4},
                     {x, middle[peer.to] - 4},
                     {free_from(h, peer.to), middle[peer.to] - 4}},
                    {load_look(link.utilization) + " link",
                     load_title("NVLink", link.rate, link.bytes, link.utilization)});
      busiest = std::max(busiest, link.utilization);
      if (in_one_lane(tree.nvlinks)) {
        svg_.text({x + 5, (middle[peer.from] + middle[peer.to]) / 2 + 4},
                  "NVLink " + load_text(link.utilization), {"in-box"});
      }
    }
    if (!in_one_lane(tree.nvlinks)) {
      const PeerLink& longest = tree.nvlinks.back();
      const double x = kLanes + static_cast<double>(longest.lane) * kLane + 5;
      const double y = (middle[longest.from] + middle[longest.to]) / 2 + 4;
      svg_.text({x, y}, "NVLink " + load_text(busiest), {"in-box"});
    }
    if (!tree.nv_switches.empty()) draw_switch(h, middle);
  }

  void draw_switch(std::size_t h, const std::vector<double>& middle) {
    const HostTree& tree = trees_[h];
    double top = 1e9;
    double bottom = 0;
    double busiest = 0;
    for (std::size_t d = 0; d < tree.devices.size(); ++d) {
      if (!tree.to_switches[d]) continue;
      const double y = middle[d];
      top = std::min(top, y);
      bottom = std::max(bottom, y);
      busiest = std::max(busiest, *tree.to_switches[d]);
      svg_.line({free_from(h, d), y}, {kLanes, y}, {load_look(*tree.to_switches[d]) + " link"});
    }
    svg_.rect(kLanes, top - kNarrowBox / 2, 82, bottom - top + kNarrowBox, {"node"}, 3);
    const double y = (top + bottom) / 2;
    svg_.text({kLanes + 41, y - 3}, shortened(tree.nv_switches, kTextSize, 78), {},
              Anchor::kMiddle);
    svg_.text({kLanes + 41, y + 12}, load_text(busiest), {}, Anchor::kMiddle);
  }

  void draw_peers(std::size_t h, const std::vector<double>& middle) {
    for (const PeerLink& peer : trees_[h].others) {
      const DrawnLink& link = picture_.hosts[h].links[peer.link];
      const double end = left_of(trees_[h].devices[peer.from]);
      const double x = end - 8;
      svg_.polyline({{end, middle[peer.from]},
                     {x, middle[peer.from]},
                     {x, middle[peer.to]},
                     {end, middle[peer.to]}},
                    {load_look(link.utilization) + " link",
                     load_title("between sockets", link.rate, link.bytes, link.utilization)});
      svg_.text({right_of(h, peer.to) + 6, middle[peer.to] + 4}, load_text(link.utilization),
                {"in-box"});
    }
  }

  void draw_fabric(double top) {
    svg_.rect(0.5, top, kNarrow.width - 1, kFabricBox, {"box"}, 6);
    std::string words = leaves_heading(picture_);
    if (picture_.spines > 0) {
      words += fmt::format(", {} spine{}", picture_.spines, picture_.spines == 1 ? "" : "s");
    }
    svg_.text({10, top + 19}, words, {"name"});
    if (const auto* uplink = busiest_uplink(picture_); uplink != nullptr) {
      svg_.text({10, top + 36}, shortened("uplinks used: " + load_text(uplink->utilization),
                                          kTextSize, kNarrow.width - 20));
    }
  }

  const TopologyPicture& picture_;
  std::size_t most_hosts_;
  Svg svg_;
  double port_;
  std::vector<HostTree> trees_;
};

}  // namespace

std::string topology_narrow(const TopologyPicture& picture, const std::string& title,
                            const std::string& description, std::size_t most_hosts) {
  return NarrowPainter(picture, most_hosts).paint(title, description);
}

}  // namespace vgsim::report
