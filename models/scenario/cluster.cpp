#include "models/scenario/cluster.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <optional>

#include "models/scenario/and_more.hpp"
#include "models/vsphere/assignment.hpp"
#include "topology/fabric_builder.hpp"
#include "topology/input/name_ranges.hpp"
#include "topology/input/typed.hpp"

namespace vgsim::scenario {
namespace {

using input::Diagnostics;
using input::find;
using input::Member;
using input::Value;
using topology::Topology;

/// What a VM is, whatever its name and that of its host.
std::string vm_key(const Value& vm) {
  std::vector<Member> members;
  for (const Member& member : vm.members()) {
    if (member.name != "host") members.push_back(member);
  }
  return input::to_canonical_string(Value::make_object(std::move(members)));
}

struct HostEntry {
  Member member;
  std::string key;  ///< what the host and its VMs are, whatever their names
};

std::vector<HostEntry> ordered_hosts(const Value& hosts, const std::vector<Member>& vms) {
  std::vector<HostEntry> entries;
  for (const Member& host : hosts.members()) {
    std::vector<std::string> keys;
    for (const Member& vm : vms) {
      const auto on = find(vm.value, "host");
      if (on && input::as_string(*on) == host.name) keys.push_back(vm_key(vm.value));
    }
    std::sort(keys.begin(), keys.end());
    std::string key = input::to_canonical_string(host.value);
    for (const std::string& vm : keys) key += vm;
    entries.push_back({host, std::move(key)});
  }
  std::sort(entries.begin(), entries.end(), [](const HostEntry& a, const HostEntry& b) {
    if (a.key != b.key) return a.key < b.key;
    return input::natural_less(a.member.name, b.member.name);
  });
  return entries;
}

void add_default_storage(Topology& topology, const Library& library,
                         std::vector<std::string>& assumptions) {
  const std::string about = library.parameters.describe("storage_read_rate");
  std::size_t added = 0;
  for (std::size_t h = 0; h < topology.hosts.size(); ++h) {
    topology::Host& host = topology.hosts[h];
    if (host.storage) continue;
    const auto storage = topology.add_node({fmt::format("{}/storage", host.name),
                                            topology::NodeKind::kStorage,
                                            static_cast<std::int32_t>(h),
                                            0,
                                            {}});
    topology.connect(storage, host.sockets.front(), topology::LinkKind::kStorage,
                     library.parameters.rate("storage_read_rate"), 1.0, SimTime{0}, about);
    host.storage = storage;
    ++added;
  }
  if (added > 0) {
    assumptions.push_back(
        fmt::format("storage not given for {} host(s): reads at {}", added, about));
  }
}

std::vector<Exact> capacities(const Topology& topology, bool line_rate) {
  std::vector<Exact> result;
  for (const topology::LinkResource& resource : topology.resources) {
    const Exact rate(resource.line_rate.count());
    result.push_back(line_rate ? rate : rate * exact_share(resource.payload_share));
  }
  return result;
}

std::string idealised(const Value& layout, const char* what) {
  const auto idealise = find(layout, "idealise");
  const auto value = idealise ? find(*idealise, what) : std::nullopt;
  return value ? input::as_string(*value) : std::string();
}

/// Machines in rank order: by host, then by what they are, then by name.
void sort_machines(Cluster& cluster, const std::vector<Member>& vms) {
  std::map<std::string, std::string> key;
  for (const Member& vm : vms) key[vm.name] = vm_key(vm.value);
  std::stable_sort(cluster.machines.begin(), cluster.machines.end(),
                   [&](const auto& a, const auto& b) {
                     if (a.host != b.host) return a.host < b.host;
                     if (key[a.name] != key[b.name]) return key[a.name] < key[b.name];
                     return input::natural_less(a.name, b.name);
                   });
}

/// The same assumption about many machines, said once: "host esx01 and 3 more: ...".
class Folded {
 public:
  void add(const std::string& subject, const std::string& text) {
    if (subjects_[text].empty()) order_.push_back(text);
    subjects_[text].push_back(subject);
  }

  [[nodiscard]] std::vector<std::string> lines(const char* what) const {
    std::vector<std::string> result;
    for (const std::string& text : order_) {
      result.push_back(fmt::format("{} {}: {}", what, and_more(subjects_.at(text)), text));
    }
    return result;
  }

 private:
  std::map<std::string, std::vector<std::string>> subjects_;
  std::vector<std::string> order_;
};

void append(std::vector<std::string>& lines, const std::vector<std::string>& more) {
  lines.insert(lines.end(), more.begin(), more.end());
}

std::vector<std::string> host_assumptions(const Topology& topology) {
  Folded folded;
  for (const topology::Host& host : topology.hosts) {
    for (const std::string& text : host.assumptions) folded.add(host.name, text);
  }
  return folded.lines("host");
}

/// The VMs of a layout with their devices.
void place_vms(Cluster& cluster, const Library& library,
               const std::map<std::string, std::size_t>& host_index, const std::vector<Member>& vms,
               Diagnostics& diagnostics) {
  std::vector<vsphere::Assumption> assumptions;
  cluster.machines = vsphere::assign_devices(cluster.topology, library.catalog, host_index, vms,
                                             assumptions, diagnostics);
  sort_machines(cluster, vms);
  Folded folded;
  for (const auto& [vm, text] : assumptions) folded.add(vm, text);
  append(cluster.assumptions, folded.lines("VM"));
}

}  // namespace

Cluster build_cluster(const LayoutInput& layout, const Library& library,
                      const topology::FileLoader& load, Diagnostics& diagnostics) {
  Cluster cluster;
  Diagnostics found;
  const auto vms_value = find(layout.value, "vms");
  const std::vector<Member> vms = vms_value ? vms_value->members() : std::vector<Member>{};

  std::map<std::string, std::size_t> host_index;
  std::vector<std::optional<Value>> leaf_of_host;
  for (const HostEntry& entry : ordered_hosts(*find(layout.value, "hosts"), vms)) {
    host_index.emplace(entry.member.name, host_index.size());
    leaf_of_host.push_back(find(entry.member.value, "leaf"));
    topology::build_host(cluster.topology, library.catalog, entry.member.name, entry.member.value,
                         load, found);
  }
  diagnostics.append(found);
  if (found.has_errors()) return cluster;

  cluster.assumptions = host_assumptions(cluster.topology);
  const bool trains = find(*find(layout.value, "job"), "network").has_value();
  if (trains) add_default_storage(cluster.topology, library, cluster.assumptions);
  append(cluster.assumptions,
         topology::build_fabric(cluster.topology, library.catalog, find(layout.value, "fabric"),
                                leaf_of_host, found));
  if (vms.empty()) {
    for (std::size_t h = 0; h < cluster.topology.hosts.size(); ++h) {
      cluster.machines.push_back(vsphere::bare_metal(cluster.topology, h));
    }
    cluster.assumptions.emplace_back("no VMs: the job runs on the hosts as bare metal");
  } else {
    place_vms(cluster, library, host_index, vms, found);
    const auto version = find(layout.value, "vsphere");
    cluster.assumptions.push_back(
        fmt::format("vSphere {}: what this version allows is not checked",
                    version ? input::as_string(*version) : "version not given"));
  }
  cluster.capacity =
      capacities(cluster.topology, idealised(layout.value, "bandwidth") == "line_rate");
  cluster.zero_latency = idealised(layout.value, "latency") == "zero";
  diagnostics.append(found);
  return cluster;
}

}  // namespace vgsim::scenario
