#include "topology/importers/infragraph/infragraph_nvlinks.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace vgsim::topology::infragraph {
namespace {

using inventory::Told;

bool is_of_gpus(LinkKind kind) { return kind == LinkKind::kNvLink || kind == LinkKind::kXgmi; }

/// The GPU of a join, first, and what it has a link to; nothing if the join is not of that kind.
std::optional<std::pair<std::uint32_t, std::uint32_t>> from_gpu(const Expansion& host,
                                                                const Join& join, Role to) {
  const Role a = host.vertices[join.a].role;
  const Role b = host.vertices[join.b].role;
  if (a == Role::kGpu && b == to) return std::pair{join.a, join.b};
  if (b == Role::kGpu && a == to) return std::pair{join.b, join.a};
  return std::nullopt;
}

bool joins_gpus(const Expansion& host, const Join& join) {
  return from_gpu(host, join, Role::kGpu) && is_of_gpus(join.kind);
}

/// An edge stands for as many links as its link's name or description says, else for one. Links to
/// the same peer are added up, both ends of an edge are filled, and all NVSwitches without a bus id
/// count as one.
class Collector {
 public:
  Collector(const Expansion& host, const BusIds& bus_ids, const std::string& source)
      : host_(host), bus_ids_(bus_ids), source_(source) {}

  void add(const Join& join);
  GpuLinks links;

 private:
  /// What each edge over a link stands for.
  struct Edges {
    Told<std::int64_t> count;
    inventory::Maybe<double> gigabytes_each;
  };

  void add(std::uint32_t gpu, const Told<std::string>& target, bool is_switch, const Join& join);
  [[nodiscard]] const Edges& edges_over(const Link& link);
  [[nodiscard]] Told<std::string> id_of(std::uint32_t vertex) const {
    const auto id = bus_ids_.find(vertex);
    if (id != bus_ids_.end()) return id->second;
    return {inventory::kHiddenNvSwitch, source_};
  }

  const Expansion& host_;
  const BusIds& bus_ids_;
  const std::string& source_;
  std::map<std::pair<std::uint32_t, std::string>, std::size_t> places_;
  std::map<const Link*, Edges> edges_;
  std::set<const Link*> mentioned_;
  std::set<const Link*> left_out_;
};

const Collector::Edges& Collector::edges_over(const Link& link) {
  const auto [known, is_new] = edges_.try_emplace(&link);
  Edges& edges = known->second;
  if (!is_new) return edges;
  const auto told = links_of(link);
  edges.count =
      told ? Told<std::int64_t>{told->count, source_} : Told<std::int64_t>{1, inventory::kAssumed};
  if (!told) {
    links.assumed.push_back(
        fmt::format("each edge over \"{}\" is taken as one link, as no number is told", link.name));
  }
  if (told && told->gigabytes_each) {
    edges.gigabytes_each = Told<double>{*told->gigabytes_each, source_};
  } else if (link.bandwidth) {
    links.skipped.push_back(
        fmt::format("the bandwidth of \"{}\" is left out: it is not told whether it is of one "
                    "NVLink or of all, of one direction or both",
                    link.name));
  }
  return edges;
}

void Collector::add(std::uint32_t gpu, const Told<std::string>& target, bool is_switch,
                    const Join& join) {
  const auto& [count, gigabytes_each] = edges_over(*join.link);
  auto& list = links.of_gpus[gpu];
  const auto [place, is_new] = places_.emplace(std::pair(gpu, target.value), list.size());
  if (!is_new) {
    auto& known = list[place->second].count;
    known.value += count.value;
    if (count.source == inventory::kAssumed) known.source = count.source;
    return;
  }
  inventory::NvLinks made;
  made.target = target;
  made.count = count;
  if (is_switch) made.target_class = Told<std::string>{"068000", source_};
  made.gigabytes_per_second = gigabytes_each;
  list.push_back(std::move(made));
}

void Collector::add(const Join& join) {
  const LinkKind kind = join.kind;
  if (const auto to_switch = from_gpu(host_, join, Role::kNvSwitch)) {
    if (!is_of_gpus(kind) && mentioned_.insert(join.link).second) {
      links.assumed.push_back(fmt::format(
          "edges between GPUs and NVSwitches over \"{}\" are taken as NVLinks", join.link->name));
    }
    return add(to_switch->first, id_of(to_switch->second), true, join);
  }
  if (!from_gpu(host_, join, Role::kGpu)) return;
  if (!is_of_gpus(kind)) {
    if (!left_out_.insert(join.link).second) return;
    links.skipped.push_back(
        fmt::format("edges between GPUs over \"{}\" are left out: they are neither NVLink nor xGMI",
                    join.link->name));
    return;
  }
  for (const auto& [gpu, peer] : {std::pair(join.a, join.b), std::pair(join.b, join.a)}) {
    if (kind == LinkKind::kXgmi) links.xgmi.insert(gpu);
    add(gpu, id_of(peer), false, join);
  }
}

}  // namespace

void find_nvswitches(Expansion& host) {
  std::set<const Component*> found;
  for (const Join& join : host.joins) {
    if (!is_of_gpus(join.kind)) continue;
    const auto ends = from_gpu(host, join, Role::kBridge);
    if (ends) found.insert(host.vertices[ends->second].component);
  }
  for (Vertex& vertex : host.vertices) {
    if (found.contains(vertex.component)) vertex.role = Role::kNvSwitch;
  }
}

std::set<std::uint32_t> linked_gpus(const Expansion& host) {
  std::set<std::uint32_t> gpus;
  for (const Join& join : host.joins) {
    if (joins_gpus(host, join)) gpus.insert({join.a, join.b});
  }
  return gpus;
}

GpuLinks gpu_links(const Expansion& host, const BusIds& bus_ids, const std::string& source) {
  Collector collector(host, bus_ids, source);
  for (const Join& join : host.joins) collector.add(join);
  return std::move(collector.links);
}

}  // namespace vgsim::topology::infragraph
