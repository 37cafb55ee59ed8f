#include "tools/studio/machines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "models/scenario/read/library.hpp"
#include "tools/catalog/entry_text.hpp"
#include "tools/catalog/kinds.hpp"
#include "tools/report/charts/topology.hpp"
#include "tools/report/html.hpp"
#include "tools/studio/gpu_move.hpp"
#include "tools/text/words.hpp"
#include "topology/input/units/unit_strings.hpp"

namespace vgsim::studio {
namespace {

using nlohmann::ordered_json;
using scenario::DrawnHost;
using scenario::DrawnLink;
using scenario::DrawnNode;
using scenario::TopologyPicture;

/// More kinds of hosts are listed only: a longer drawing takes long and is not looked at.
constexpr std::size_t kMostKinds = 8;

TopologyPicture in_focus(TopologyPicture picture, const std::string& focus) {
  const auto found = std::find_if(picture.hosts.begin(), picture.hosts.end(),
                                  [&](const DrawnHost& host) { return host.name == focus; });
  if (found != picture.hosts.end()) std::rotate(picture.hosts.begin(), found, found + 1);
  return picture;
}

std::vector<report::Key> keys_of(const TopologyPicture& picture) {
  constexpr std::size_t kMostVms = 12;
  constexpr std::size_t kColours = 6;
  std::vector<report::Key> keys{{"load0 chip", "idle"},       {"load1 chip", "up to 20 %"},
                                {"load2 chip", "20 to 40 %"}, {"load3 chip", "40 to 60 %"},
                                {"load4 chip", "60 to 80 %"}, {"load5 chip", "80 % used and more"}};
  for (std::size_t h = 0; h < std::min(picture.hosts.size(), kMostKinds); ++h) {
    const auto& holdings = picture.hosts[h].holdings;
    for (std::size_t m = 0; m < std::min(holdings.size(), kMostVms); ++m) {
      keys.push_back({fmt::format("s{} vm", m % kColours), "VM " + holdings[m].machine});
    }
  }
  return keys;
}

const scenario::Cluster* cluster_of(const Studio& studio) {
  const auto* prepared = studio.prepared();
  return prepared == nullptr ? nullptr : prepared->layouts.front().placement.cluster.get();
}

/// The drawn host that represents the one of that name.
const DrawnHost* drawn_host(const Studio& studio, const std::string& name) {
  const auto* cluster = cluster_of(studio);
  const auto& result = studio.answer().result;
  if (cluster == nullptr || !result || !result->picture) return nullptr;
  const auto found =
      std::find_if(cluster->hosts.begin(), cluster->hosts.end(),
                   [&](const scenario::ClusterHost& host) { return host.name == name; });
  if (found == cluster->hosts.end() || found->kind >= result->picture->hosts.size()) return nullptr;
  return &result->picture->hosts[found->kind];
}

ordered_json link_json(const DrawnHost& host, const DrawnLink& link) {
  const bool is_port = link.from == link.to;
  return {{"to", is_port ? std::string("network")
                         : host.nodes[link.from].name + " - " + host.nodes[link.to].name},
          {"kind", link.kind},
          {"rate", link.rate > 0 ? input::format_rate(BytesPerSecond{std::llround(link.rate)})
                                 : std::string("never a limit")},
          {"carried", text::bytes_text(link.bytes)},
          {"used", text::percent(link.utilization)},
          {"over_time", link.over_time}};
}

/// The catalogue's values of a part with their sources.
std::string catalogue_text(const Studio& studio, const std::string& part,
                           const std::string& config_dir) {
  const auto kinds = catalog::all_kinds(studio.library(), config_dir);
  if (!kinds || part.empty()) return {};
  for (const catalog::Kind& kind : *kinds) {
    for (const catalog::Entry& entry : kind.entries) {
      if (entry.names.name == part) return catalog::entry_text(entry);
    }
  }
  return {};
}

ordered_json device_json(const Studio& studio, const DrawnHost& host, const std::string& device,
                         const std::string& config_dir) {
  const auto node = std::find_if(host.nodes.begin(), host.nodes.end(),
                                 [&](const DrawnNode& each) { return each.name == device; });
  if (node == host.nodes.end()) return nullptr;
  const auto index = static_cast<std::size_t>(node - host.nodes.begin());
  ordered_json thing{{"kind", node->kind}, {"model", node->model}};
  ordered_json& links = thing["links"] = ordered_json::array();
  for (const DrawnLink& link : host.links) {
    if (link.from == index || link.to == index) links.push_back(link_json(host, link));
  }
  ordered_json& holders = thing["holders"] = ordered_json::array();
  for (const auto& holding : host.holdings) {
    const auto& devices = holding.devices;
    if (std::find(devices.begin(), devices.end(), device) == devices.end()) continue;
    std::string words = holding.machine;
    for (const auto& vgpu : host.vgpus) {
      if (vgpu.gpu == device && vgpu.machine == holding.machine) words += ": " + vgpu.profile;
    }
    holders.push_back(words);
  }
  thing["catalogue"] = catalogue_text(studio, node->model, config_dir);
  return thing;
}

}  // namespace

std::string machines_html(const scenario::LayoutResult& result, const std::string& focus) {
  if (!result.picture || result.picture->hosts.empty()) return {};
  const TopologyPicture picture = in_focus(*result.picture, focus);
  report::Figure figure;
  figure.id = "machines-chart";
  figure.wide =
      report::topology_wide(picture, "The machines and the load of their links",
                            "A tree of each kind of host; each part can be chosen.", kMostKinds);
  figure.narrow =
      report::topology_narrow(picture, "The machines and the load of their links",
                              "A tree of each kind of host; each part can be chosen.", kMostKinds);
  figure.keys = keys_of(picture);
  figure.caption = fmt::format("Of each link the busier direction, {}.",
                               result.training ? "over an iteration" : "in the largest collective");
  return report::figure_html(figure);
}

ordered_json folded_json(const scenario::LayoutResult& result, const std::string& focus) {
  ordered_json folded = ordered_json::array();
  if (!result.picture) return folded;
  const TopologyPicture picture = in_focus(*result.picture, focus);
  for (std::size_t h = kMostKinds; h < picture.hosts.size(); ++h) {
    folded.push_back({{"host", picture.hosts[h].name}, {"count", picture.hosts[h].count}});
  }
  return folded;
}

ordered_json alike_json(const Studio& studio, const std::string& host) {
  const auto* cluster = cluster_of(studio);
  if (cluster == nullptr) return nullptr;
  const auto found =
      std::find_if(cluster->hosts.begin(), cluster->hosts.end(),
                   [&](const scenario::ClusterHost& each) { return each.name == host; });
  if (found == cluster->hosts.end()) return nullptr;
  std::vector<std::vector<std::string>> machines(cluster->hosts.size());
  for (const scenario::Machine& machine : cluster->machines) {
    machines[machine.host].push_back(machine.name);
  }
  ordered_json alike = ordered_json::array();
  for (std::size_t h = 0; h < cluster->hosts.size(); ++h) {
    if (cluster->hosts[h].kind != found->kind) continue;
    alike.push_back({{"host", cluster->hosts[h].name}, {"vms", machines[h]}});
  }
  return alike;
}

ordered_json thing_json(const Studio& studio, const std::string& name,
                        const std::string& config_dir) {
  const std::string host_name = name.substr(0, name.find('/'));
  const DrawnHost* host = drawn_host(studio, host_name);
  if (host == nullptr) return nullptr;
  ordered_json thing;
  if (host_name.size() < name.size()) {
    thing = device_json(studio, *host, name.substr(host_name.size() + 1), config_dir);
    if (thing.is_null()) return thing;
  } else {
    const input::Member* hosts = studio.variant().member("hosts");
    const input::Member* said = hosts == nullptr ? nullptr : hosts->value.member(host_name);
    thing = {{"kind", "host"}, {"model", ""}};
    if (said != nullptr && said->value.member("server") != nullptr) {
      const input::Value& server = said->value.member("server")->value;
      if (server.is_string()) {
        thing["model"] = server.string();
        thing["catalogue"] = catalogue_text(studio, server.string(), config_dir);
      }
    }
    thing["alike"] = alike_json(studio, host_name);
  }
  ordered_json& moves = thing["moves"] = ordered_json::array();
  for (const GpuMove& move : gpu_moves(studio, name)) {
    moves.push_back({{"from", move.from}, {"to", move.to}});
  }
  thing["name"] = name;
  thing["host"] = host_name;
  return thing;
}

}  // namespace vgsim::studio
