#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "sim/units.hpp"
#include "tools/report/charts/topology.hpp"
#include "tools/report/facts.hpp"
#include "tools/report/sections/sections.hpp"
#include "tools/text/words.hpp"
#include "topology/input/units/unit_strings.hpp"

namespace vgsim::report {
namespace {

using scenario::DrawnHost;
using scenario::DrawnLink;
using scenario::LayoutResult;
using scenario::TopologyPicture;

constexpr std::size_t kMostPictures = 3;

bool has_picture(const LayoutResult& layout) {
  return layout.picture && !layout.picture->hosts.empty();
}

std::string link_words(const DrawnHost& host, const DrawnLink& link) {
  if (link.from == link.to) return host.nodes[link.from].name + " - network";
  return host.nodes[link.from].name + " - " + host.nodes[link.to].name;
}

std::vector<std::string> row_of(const std::string& where, const std::string& link,
                                const std::string& kind, double rate, double bytes,
                                double utilization) {
  return {where,
          link,
          kind,
          rate > 0 ? input::format_rate(BytesPerSecond{std::llround(rate)}) : std::string("-"),
          text::bytes_text(bytes),
          text::percent(utilization)};
}

/// The links with traffic, of the drawn hosts.
Table machines_table(const TopologyPicture& picture) {
  Table table{{{"where", false},
               {"link", false},
               {"kind", false},
               {"rate", true},
               {"carried", true},
               {"used", true}},
              {},
              Narrow::kStacks};
  for (std::size_t h = 0; h < std::min(kMostDrawnHosts, picture.hosts.size()); ++h) {
    const DrawnHost& host = picture.hosts[h];
    for (const DrawnLink& link : host.links) {
      if (link.bytes <= 0 && link.utilization <= 0) continue;
      table.rows.push_back(row_of(host.name, link_words(host, link), link.kind, link.rate,
                                  link.bytes, link.utilization));
    }
  }
  for (const auto& links : picture.fabric_links) {
    const std::string alike =
        links.count > 1 ? fmt::format(" and {} like it", links.count - 1) : std::string();
    table.rows.push_back(row_of("network", links.name + alike, "fabric", links.rate, links.bytes,
                                links.utilization));
  }
  return table;
}

std::string parts_words(const TopologyPicture& picture) {
  std::map<std::string, std::size_t> parts;
  for (const DrawnHost& host : picture.hosts) {
    for (const auto& node : host.nodes) {
      if (!node.model.empty() && (node.kind == "GPU" || node.kind == "NIC")) {
        parts[node.model] += host.count;
      }
    }
  }
  std::vector<std::string> words;
  for (const auto& [model, count] : parts) words.push_back(fmt::format("{} x {}", count, model));
  return listed(words);
}

/// "On esx01 gpu0 has train01 and train02, gpu1 train03; all nvidia_h100xm-40c." At most
/// kMostVgpus vGPUs are listed.
std::string vgpu_words(const DrawnHost& host) {
  constexpr std::size_t kMostVgpus = 16;
  std::map<std::string, std::vector<std::string>> by_gpu;
  std::set<std::string> profiles;
  for (const auto& vgpu : host.vgpus) profiles.insert(vgpu.profile);
  std::vector<std::string> order;
  for (std::size_t i = 0; i < std::min(kMostVgpus, host.vgpus.size()); ++i) {
    const auto& vgpu = host.vgpus[i];
    auto& own = by_gpu[vgpu.gpu];
    if (own.empty()) order.push_back(vgpu.gpu);
    own.push_back(profiles.size() == 1 ? vgpu.machine
                                       : fmt::format("{} ({})", vgpu.machine, vgpu.profile));
  }
  std::vector<std::string> words;
  for (const std::string& gpu : order) {
    words.push_back(fmt::format("{} has {}", gpu, listed(by_gpu[gpu])));
  }
  std::string text = fmt::format(" On {} {}", host.name, listed(words));
  if (host.vgpus.size() > kMostVgpus) {
    text += fmt::format(", and {} vGPUs more", host.vgpus.size() - kMostVgpus);
  }
  return text + (profiles.size() == 1 ? fmt::format("; all {}.", *profiles.begin()) : ".");
}

std::string caption_of(const LayoutResult& layout) {
  const TopologyPicture& picture = *layout.picture;
  std::string caption =
      layout.links.empty()
          ? std::string("The links of this job are not followed one by one: loads are not drawn.")
          : fmt::format("Of each link the busier direction, {}.",
                        layout.training ? "over an iteration" : "during the largest collective");
  caption += " Drawn from the sockets to the devices";
  caption += has_network(picture) ? " and the network." : ".";
  if (const std::string parts = parts_words(picture); !parts.empty()) {
    caption += fmt::format(" In all hosts together: {}.", parts);
  }
  for (std::size_t h = 0; h < std::min(kMostDrawnHosts, picture.hosts.size()); ++h) {
    if (!picture.hosts[h].vgpus.empty()) caption += vgpu_words(picture.hosts[h]);
  }
  if (picture.hosts.size() > kMostDrawnHosts) {
    caption += fmt::format(" {} more kinds of hosts are not drawn.",
                           picture.hosts.size() - kMostDrawnHosts);
  }
  return caption;
}

std::vector<Key> keys() {
  return {{"load0 chip", "idle"},       {"load1 chip", "up to 20 %"},
          {"load2 chip", "20 to 40 %"}, {"load3 chip", "40 to 60 %"},
          {"load4 chip", "60 to 80 %"}, {"load5 chip", "80 % used and more"}};
}

Figure machines_figure(const LayoutResult& layout, std::size_t n, bool named) {
  const std::string title = "The machines of " + layout.name + " and the load of their links";
  const std::string description = "A tree of each kind of host. The table has the loads.";
  Figure figure;
  figure.id = fmt::format("machines-chart-{}", n + 1);
  if (named) figure.heading = layout.name;
  figure.wide = topology_wide(*layout.picture, title, description);
  figure.narrow = topology_narrow(*layout.picture, title, description);
  if (!layout.links.empty()) figure.keys = keys();
  figure.caption = caption_of(layout);
  figure.data = machines_table(*layout.picture);
  return figure;
}

std::string machines_heading(const LayoutResult& layout) {
  const auto busiest = std::find_if(layout.links.begin(), layout.links.end(),
                                    [](const auto& link) { return link.bytes > 0; });
  if (busiest == layout.links.end()) return "Hosts, devices and links";
  return fmt::format("{} is the busiest link: {} used with {}", busiest->resource,
                     text::percent(busiest->utilization), named(layout));
}

}  // namespace

std::optional<Section> machines_section(const Report& report) {
  const auto layouts = worth_drawing(report, kMostPictures, &has_picture);
  if (layouts.empty()) return std::nullopt;
  std::vector<Figure> figures;
  for (std::size_t n = 0; n < layouts.size(); ++n) {
    figures.push_back(machines_figure(*layouts[n], n, layouts.size() > 1));
  }
  return Section{"machines", "Machines", machines_heading(*layouts.front()),
                 first_open(std::move(figures), "Other layouts")};
}

}  // namespace vgsim::report
