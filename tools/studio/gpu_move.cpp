#include "tools/studio/gpu_move.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "models/scenario/read/library.hpp"
#include "models/vsphere/spec/device_group.hpp"
#include "topology/input/typed.hpp"

namespace vgsim::studio {
namespace {

using input::Value;
using scenario::Cluster;
using scenario::Override;

/// A VM of the cluster with its GPUs as declared in the scenario.
struct Holder {
  std::string name;
  std::size_t host = 0;
  const vsphere::VirtualMachine* vm = nullptr;
  std::optional<Value> gpus;

  [[nodiscard]] std::vector<std::string> groups() const {
    std::vector<std::string> names;
    const auto found = gpus ? input::find(*gpus, "device_groups") : std::nullopt;
    if (!found || !found->is_array()) return names;
    for (const Value& each : found->elements()) {
      if (each.is_string()) names.push_back(each.string());
    }
    return names;
  }

  /// The index of that GPU among those of the VM.
  [[nodiscard]] std::optional<std::size_t> place_of(std::size_t gpu) const {
    const auto found = std::find(vm->gpus.begin(), vm->gpus.end(), gpu);
    if (found == vm->gpus.end()) return std::nullopt;
    return static_cast<std::size_t>(found - vm->gpus.begin());
  }

  [[nodiscard]] std::string at(const char* key) const {
    return fmt::format("/vms/{}/gpus/{}", name, key);
  }
};

/// A GPU by its host and its index there.
struct HostGpu {
  std::size_t host = 0;
  std::size_t gpu = 0;
};

const Cluster* cluster_now(const Studio& studio) {
  const auto* prepared = studio.prepared();
  return prepared == nullptr ? nullptr : prepared->layouts.front().placement.cluster.get();
}

std::optional<HostGpu> place_named(const Cluster& cluster, const std::string& gpu) {
  for (std::size_t h = 0; h < cluster.hosts.size(); ++h) {
    const std::string begin = cluster.hosts[h].name + "/gpu";
    if (!gpu.starts_with(begin) || cluster.hosts[h].kind >= cluster.inventory.size()) continue;
    const std::size_t count = cluster.inventory[cluster.hosts[h].kind].gpus.size();
    for (std::size_t g = 0; g < count; ++g) {
      if (gpu == begin + std::to_string(g)) return HostGpu{h, g};
    }
  }
  return std::nullopt;
}

std::vector<Holder> holders_of(const Studio& studio, const Cluster& cluster) {
  std::vector<Holder> holders;
  const input::Member* vms = studio.variant().member("vms");
  for (const scenario::Machine& machine : cluster.machines) {
    const input::Member* said = vms == nullptr ? nullptr : vms->value.member(machine.name);
    if (said == nullptr) continue;
    holders.push_back({machine.name, machine.host, &cluster.kinds[machine.kind],
                       input::find(said->value, "gpus")});
  }
  return holders;
}

Objection objection(std::string rule, std::string text, std::string remedy) {
  return {std::move(rule), std::move(text), std::move(remedy), {}};
}

/// Adds GPUs to a group or removes them; removes an empty group.
std::vector<std::string> resized(std::vector<std::string> groups, std::size_t which, bool more) {
  auto group = vsphere::parse_device_group(groups[which]);
  if (!group) return groups;
  if (group->gpus == 1 && !more) {
    groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(which));
    return groups;
  }
  group->gpus = more ? group->gpus + 1 : group->gpus - 1;
  groups[which] = vsphere::to_string(*group);
  return groups;
}

void set_groups(const Holder& holder, const std::vector<std::string>& groups, Change& change) {
  if (groups.empty()) {
    change.set.push_back(scenario::take_away(holder.at("device_groups")));
  } else {
    change.set.push_back(scenario::set_texts(holder.at("device_groups"), groups));
  }
}

/// Lists GPUs by index, once for each vGPU of the VM.
void set_names(const Holder& holder, const std::multiset<std::size_t>& gpus, Change& change) {
  if (!holder.gpus) {
    change.set.push_back(scenario::set_text(holder.at("mode"), "passthrough"));
  } else if (input::find(*holder.gpus, "count")) {
    change.set.push_back(scenario::take_away(holder.at("count")));
  }
  std::vector<std::string> names;
  for (const std::size_t gpu : gpus) names.push_back(fmt::format("gpu{}", gpu));
  change.set.push_back(scenario::set_texts(holder.at("devices"), names));
}

void give(const Holder& to, std::size_t gpu, Change& change) {
  const auto groups = to.groups();
  if (!groups.empty()) return set_groups(to, resized(groups, groups.size() - 1, true), change);
  std::multiset<std::size_t> gpus(to.vm->gpus.begin(), to.vm->gpus.end());
  gpus.insert(gpu);
  set_names(to, gpus, change);
}

void take(const Holder& from, std::size_t gpu, Change& change) {
  const auto groups = from.groups();
  if (!groups.empty()) {
    const std::size_t place = *from.place_of(gpu);
    const auto& in_group = from.vm->nvlink_group;
    const auto which = place < in_group.size() ? in_group[place] : std::nullopt;
    const std::size_t last = groups.size() - 1;
    return set_groups(from, resized(groups, std::min(which.value_or(last), last), false), change);
  }
  std::multiset<std::size_t> gpus(from.vm->gpus.begin(), from.vm->gpus.end());
  gpus.erase(gpus.find(gpu));
  set_names(from, gpus, change);
}

}  // namespace

std::vector<GpuMove> gpu_moves(const Studio& studio, const std::string& gpu) {
  std::vector<GpuMove> moves;
  const Cluster* cluster = cluster_now(studio);
  const auto place = cluster == nullptr ? std::nullopt : place_named(*cluster, gpu);
  if (!place) return moves;
  const auto holders = holders_of(studio, *cluster);
  std::vector<std::string> from;
  for (const Holder& each : holders) {
    if (each.host == place->host && each.place_of(place->gpu)) from.push_back(each.name);
  }
  if (from.empty()) from.emplace_back();
  for (const std::string& name : from) {
    for (const Holder& to : holders) {
      if (to.host == place->host && to.name != name) moves.push_back({gpu, name, to.name});
    }
  }
  return moves;
}

tl::expected<Change, Objection> change_of(const Studio& studio, const GpuMove& move) {
  const Cluster* cluster = cluster_now(studio);
  const auto place = cluster == nullptr ? std::nullopt : place_named(*cluster, move.gpu);
  if (!place) {
    return tl::unexpected(objection({}, fmt::format("there is no GPU \"{}\"", move.gpu), {}));
  }
  const auto holders = holders_of(studio, *cluster);
  const auto named = [&](const std::string& name) {
    return std::find_if(holders.begin(), holders.end(),
                        [&](const Holder& each) { return each.name == name; });
  };
  const auto to = named(move.to);
  const auto from = named(move.from);
  const bool has_it = move.from.empty() || (from != holders.end() && from->host == place->host &&
                                            from->place_of(place->gpu));
  if (to == holders.end() || !has_it || move.from == move.to) {
    return tl::unexpected(objection(
        {}, fmt::format("{} does not go from \"{}\" to \"{}\"", move.gpu, move.from, move.to), {}));
  }
  if (to->host != place->host) {
    return tl::unexpected(
        objection("no-free-gpu",
                  fmt::format("{} is on {}, and a VM can use GPUs of its host only", move.to,
                              cluster->hosts[to->host].name),
                  fmt::format("move the VM to {}", cluster->hosts[place->host].name)));
  }
  if (!move.from.empty() && from->vm->gpus.size() == 1) {
    return tl::unexpected(objection(
        {}, fmt::format("{} has no other GPU, and its part of the job needs one", move.from),
        "remove the VM, or add another GPU to it first"));
  }
  Change change;
  change.title = move.from.empty() ? fmt::format("{} to {}", move.gpu, move.to)
                                   : fmt::format("{} from {} to {}", move.gpu, move.from, move.to);
  if (!move.from.empty()) take(*from, place->gpu, change);
  give(*to, place->gpu, change);
  return change;
}

}  // namespace vgsim::studio
