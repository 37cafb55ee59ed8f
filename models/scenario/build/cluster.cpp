#include "models/scenario/build/cluster.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "models/scenario/build/capacities.hpp"
#include "models/scenario/build/other_hosts.hpp"
#include "models/scenario/build/vm_placement.hpp"
#include "models/scenario/read/library.hpp"
#include "models/vsphere/assignment.hpp"
#include "models/vsphere/cpu_budget.hpp"
#include "models/vsphere/gpu_sharing.hpp"
#include "models/vsphere/legality/judge.hpp"
#include "models/vsphere/nic_costs.hpp"
#include "models/vsphere/numa_placement.hpp"
#include "models/vsphere/spec/host_settings.hpp"
#include "topology/hosts/host_builder.hpp"
#include "topology/input/name_ranges.hpp"
#include "topology/look_up.hpp"

namespace vgsim::scenario {
namespace {

using input::Diagnostics;
using topology::Topology;

using NamedHost = input::Named<Shared<LayoutHost>>;
using NamedVm = input::Named<Shared<LayoutVm>>;

/// Numbers texts in order of first use, for fast comparison.
class Numbers {
 public:
  std::size_t of(const std::string& text) {
    return numbers_.try_emplace(text, numbers_.size()).first->second;
  }

 private:
  std::map<std::string, std::size_t> numbers_;
};

struct VmEntry {
  const NamedVm* vm = nullptr;
  std::string key;  ///< content of the VM, without its name and that of its host
};

struct HostEntry {
  const NamedHost* host = nullptr;
  std::vector<VmEntry> vms;  ///< in natural order of names
  std::size_t kind =
      0;  ///< by the content of the host and its VMs, without its place in the fabric

  [[nodiscard]] const LayoutHost& content() const { return *host->value; }
};

/// The VMs of each host; reports VMs on unknown hosts.
std::map<std::string, std::vector<VmEntry>> vms_by_host(const std::vector<NamedHost>& hosts,
                                                        const std::vector<NamedVm>& vms,
                                                        const Distinction& distinction,
                                                        Diagnostics& diagnostics) {
  std::map<std::string, std::vector<VmEntry>> by_host;
  for (const NamedHost& host : hosts) by_host[host.name];
  for (const NamedVm& vm : vms) {
    const input::At<std::string>& host = *(*vm)->spec.host;
    const auto on = by_host.find(*host);
    if (on == by_host.end()) {
      static_cast<void>(topology::look_up(by_host, host, "host", diagnostics));
      continue;
    }
    on->second.push_back({&vm, (*vm)->said + distinction(vm.name)});
  }
  for (auto& [host, list] : by_host) {
    std::stable_sort(list.begin(), list.end(), [](const VmEntry& a, const VmEntry& b) {
      return input::natural_less(a.vm->name, b.vm->name);
    });
  }
  return by_host;
}

std::string joined(std::string text, std::vector<VmEntry> vms, bool by_key) {
  if (by_key) {
    std::stable_sort(vms.begin(), vms.end(),
                     [](const VmEntry& a, const VmEntry& b) { return a.key < b.key; });
  }
  for (const VmEntry& vm : vms) text += vm.key;
  return text;
}

/// Whether two hosts share their content, like those of a range.
bool is_like(const HostEntry& host, const HostEntry& other) {
  return host.host->value == other.host->value &&
         std::equal(host.vms.begin(), host.vms.end(), other.vms.begin(), other.vms.end(),
                    [](const VmEntry& a, const VmEntry& b) {
                      return a.vm->value == b.vm->value && a.key == b.key;
                    });
}

std::vector<HostEntry> ordered_hosts(const std::vector<NamedHost>& hosts,
                                     const std::vector<NamedVm>& vms,
                                     const Distinction& distinction, Diagnostics& diagnostics) {
  auto by_host = vms_by_host(hosts, vms, distinction, diagnostics);
  std::map<std::string, std::vector<HostEntry>> by_key;
  Numbers kinds;
  std::vector<HostEntry>* last = nullptr;
  std::string last_apart;
  for (const NamedHost& host : hosts) {
    HostEntry entry{&host, std::move(by_host[host.name]), 0};
    std::string apart = distinction(host.name);
    if (last != nullptr && apart == last_apart && is_like(entry, last->back())) {
      entry.kind = last->back().kind;
    } else {
      entry.kind = kinds.of(joined((*host)->said_without_leaf + apart, entry.vms, false));
      last = &by_key[joined((*host)->said + apart, entry.vms, true)];
      last_apart = std::move(apart);
    }
    last->push_back(std::move(entry));
  }
  std::vector<HostEntry> entries;
  for (auto& [key, alike] : by_key) {
    const auto before = [](const HostEntry& a, const HostEntry& b) {
      return input::natural_less(a.host->name, b.host->name);
    };
    if (!std::is_sorted(alike.begin(), alike.end(), before)) {
      std::sort(alike.begin(), alike.end(), before);
    }
    std::move(alike.begin(), alike.end(), std::back_inserter(entries));
  }
  return entries;
}

void add_default_storage(Topology& topology, std::size_t host_index, const Library& library) {
  topology::Host& host = topology.hosts[host_index];
  const auto storage = topology.add_node({fmt::format("{}/storage", host.name),
                                          topology::NodeKind::kStorage,
                                          static_cast<std::int32_t>(host_index),
                                          0,
                                          {}});
  topology.connect(storage, host.sockets.front(), topology::LinkKind::kStorage,
                   library.parameters.rate("storage_read_rate"), 1.0, SimTime{0},
                   library.parameters.describe("storage_read_rate"));
  host.storage = storage;
}

/// Groups equal assumptions about machines: "host esx01 and 3 more: ...".
class Folded {
 public:
  void add(const std::string& subject, const std::string& text) {
    if (subjects_[text].empty()) order_.push_back(text);
    subjects_[text].push_back(subject);
  }

  [[nodiscard]] std::vector<std::string> lines(const char* what) const {
    std::vector<std::string> result;
    for (const std::string& text : order_) {
      result.push_back(fmt::format("{} {}: {}", what, input::and_more(subjects_.at(text)), text));
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

class Builder {
 public:
  Builder(const Layout& layout, const Library& library, const input::FileLoader& load,
          Diagnostics& diagnostics)
      : layout_(layout),
        library_(library),
        load_(load),
        diagnostics_(diagnostics),
        vms_(layout.vms),
        trains_(layout.job->trains()) {
    cluster_.vsphere = *layout.vsphere;
    if (leaves_hosts_open(layout)) place_open_vms();
  }

  Cluster build(const Distinction& distinction) && {
    if (diagnostics_.has_errors()) return std::move(cluster_);
    entries_ = ordered_hosts(layout_.hosts, vms_, distinction, diagnostics_);
    build_hosts();
    if (diagnostics_.has_errors()) return std::move(cluster_);
    cluster_.idealised = layout_.idealised;
    build_fabric();
    assume_about_hosts();
    if (vms_.empty() && unplaced_.empty()) {
      use_hosts();
    } else {
      place_vms();
    }
    count_cores();
    return std::move(cluster_);
  }

 private:
  /// Places VMs without a host as vSphere does.
  void place_open_vms() {
    const LayoutPlacement placed = place_layout(layout_, library_, load_, diagnostics_);
    if (diagnostics_.has_errors()) return;
    vsphere::Findings findings(library_.vsphere->rules, layout_.idealised.any_support);
    std::map<std::string, const vsphere::PlacementStep*> step_of;
    for (const vsphere::PlacementStep& step : placed.report.steps) step_of[step.vm] = &step;
    std::vector<NamedVm> kept;
    for (NamedVm& vm : vms_) {
      const vsphere::PlacementStep& step = *step_of.at(vm.name);
      if (!step.host) {
        for (const auto& refusal : step.refusals) findings.add(refusal.rule, vm.name, refusal.text);
        continue;
      }
      if (!(*vm)->spec.host) {
        auto with_host = std::make_shared<LayoutVm>(**vm);
        with_host->spec.host = {placed.hosts[*step.host], vm.origin, false};
        vm.value = std::move(with_host);
        placed_.emplace_back(vm.name, placed.hosts[*step.host]);
      }
      kept.push_back(std::move(vm));
    }
    vms_ = std::move(kept);
    unplaced_ = findings.all();
  }

  void build_hosts() {
    std::map<std::size_t, std::size_t> built;
    for (const HostEntry& entry : entries_) {
      const auto [it, is_new] = built.try_emplace(entry.kind, built.size());
      cluster_.hosts.push_back({entry.host->name, it->second});
      if (!is_new) continue;
      first_of_kind_.push_back(cluster_.hosts.size() - 1);
      topology::build_host(cluster_.topology, *library_.catalog, entry.host->name,
                           entry.content().spec, entry.host->origin, load_, diagnostics_);
    }
    if (diagnostics_.has_errors()) return;
    for (std::size_t k = 0; k < first_of_kind_.size(); ++k) {
      cluster_.inventory.push_back(
          vsphere::inventory_of(cluster_.topology, k, *library_.vsphere,
                                entries_[first_of_kind_[k]].content().settings, diagnostics_));
      const bool caches = cluster_.inventory.back().settings.bios.ats &&
                          library_.vsphere->versions.has(cluster_.vsphere, "ats");
      topology::Host& host = cluster_.topology.hosts[k];
      if (caches) host.acs = false;
      const vsphere::Iommu iommu = cluster_.inventory.back().settings.iommu;
      if (!layout_.vms.empty() && iommu != vsphere::Iommu::kUnstated) {
        cluster_.assumptions.push_back(fmt::format(
            "\"iommu\" of {} has no effect: ESXi translates for devices of VMs", host.name));
      }
      host.staging_translated = layout_.vms.empty() && iommu == vsphere::Iommu::kTranslate;
      host.iommu_translates = layout_.vms.empty() ? iommu == vsphere::Iommu::kTranslate : !caches;
    }
  }

  void build_fabric() {
    std::size_t widest = 0;
    for (const auto& host : cluster_.topology.hosts) widest = std::max(widest, host.nics.size());
    const auto plan = topology::plan_fabric(layout_.fabric, entries_.size(), widest,
                                            *library_.catalog, diagnostics_);
    std::vector<topology::Fabric::Attached> attached;
    for (std::size_t h = 0; h < entries_.size(); ++h) {
      auto& host = attached.emplace_back();
      for (const auto& nic : cluster_.topology.hosts[cluster_.hosts[h].kind].nics) {
        host.ports.push_back(nic.port_rate);
      }
      host.leaf = topology::stated_leaf(entries_[h].content().spec.leaf, plan, diagnostics_);
    }
    cluster_.fabric = topology::Fabric(plan, attached);
    for (std::size_t k = 0; k < cluster_.topology.hosts.size(); ++k) {
      add_ports(cluster_.topology, k, plan);
      if (!trains_ || cluster_.topology.hosts[k].storage) continue;
      add_default_storage(cluster_.topology, k, library_);
      without_storage_.push_back(k);
    }
    fabric_assumptions_ = topology::fabric_assumptions(layout_.fabric, plan, entries_.size());
  }

  void assume_about_hosts() {
    Folded folded;
    std::size_t drives = 0;
    for (const ClusterHost& host : cluster_.hosts) {
      for (const std::string& text : cluster_.topology.hosts[host.kind].assumptions) {
        folded.add(host.name, text);
      }
      drives += static_cast<std::size_t>(
          std::count(without_storage_.begin(), without_storage_.end(), host.kind));
    }
    append(cluster_.assumptions, folded.lines("host"));
    list_open_points();
    if (drives > 0) {
      cluster_.assumptions.push_back(
          fmt::format("storage not given for {} host(s): read rate {}", drives,
                      library_.parameters.describe("storage_read_rate")));
    }
    append(cluster_.assumptions, fabric_assumptions_);
  }

  void list_open_points() {
    using Kind = topology::OpenPoint::Kind;
    for (const Kind kind : {Kind::kNeeded, Kind::kDisputed, Kind::kTaken}) {
      Folded folded;
      for (const ClusterHost& host : cluster_.hosts) {
        for (const topology::OpenPoint& point : cluster_.topology.hosts[host.kind].open) {
          if (point.kind == kind) folded.add(host.name, point.text);
        }
      }
      for (std::string& line : folded.lines("host")) cluster_.open.push_back({line, kind});
    }
  }

  /// By host of the topology.
  [[nodiscard]] std::vector<double> cores_of_neighbours() const {
    std::vector<double> cores(cluster_.inventory.size());
    for (const auto& neighbour : layout_.neighbours) {
      for (std::size_t k = 0; k < cores.size(); ++k) {
        if (!input::matches_pattern(cluster_.inventory[k].name, *neighbour->host)) continue;
        cores[k] +=
            cores_of(*neighbour, cluster_.inventory[k].settings.dpu_offload, library_.parameters);
      }
    }
    return cores;
  }

  /// CPU load of NICs and input pipelines.
  void count_cores() {
    const auto assumed =
        vsphere::add_cpu_budgets(cluster_.topology, cluster_.inventory, cluster_.kinds,
                                 cores_of_neighbours(), trains_, library_.parameters);
    Folded folded;
    for (const ClusterHost& host : cluster_.hosts) {
      if (trains_ && !assumed[host.kind].empty()) folded.add(host.name, assumed[host.kind]);
    }
    append(cluster_.assumptions, folded.lines("host"));
    if (cluster_.idealised.zero_overhead) return;
    const auto prices = vsphere::add_nic_costs(cluster_.topology, cluster_.inventory,
                                               cluster_.kinds, library_.parameters);
    Folded vms;
    for (const Machine& machine : cluster_.machines) {
      for (const std::string& text : prices[machine.kind]) vms.add(machine.name, text);
    }
    append(cluster_.assumptions, vms.lines("VM"));
    if (!cluster_.idealised.zero_latency) return;
    for (vsphere::VirtualMachine& vm : cluster_.kinds) {
      for (vsphere::VmNic& nic : vm.nics) nic.costs.latency = SimTime{0};
    }
  }

  /// Bare metal: each host is a machine.
  void use_hosts() {
    for (std::size_t k = 0; k < cluster_.topology.hosts.size(); ++k) {
      cluster_.kinds.push_back(vsphere::bare_metal(cluster_.topology, k));
    }
    for (std::size_t h = 0; h < cluster_.hosts.size(); ++h) {
      cluster_.machines.push_back({cluster_.hosts[h].name, h, cluster_.hosts[h].kind});
    }
    cluster_.assumptions.emplace_back("no VMs: the job runs on the hosts as bare metal");
  }

  /// Assigns devices to the VMs of one host of each kind; the others are equal.
  void place_vms() {
    std::map<std::string, std::size_t> host_index;
    std::vector<vsphere::NamedVm> named;
    for (std::size_t k = 0; k < first_of_kind_.size(); ++k) {
      const HostEntry& entry = entries_[first_of_kind_[k]];
      host_index.emplace(entry.host->name, k);
      for (const VmEntry& vm : entry.vms) named.push_back({vm.vm->name, &vm.vm->value->spec});
    }
    std::vector<vsphere::Assumption> assumptions;
    vsphere::Findings findings(library_.vsphere->rules, layout_.idealised.any_support);
    cluster_.kinds = vsphere::assign_devices(cluster_.topology, *library_.vsphere, cluster_.vsphere,
                                             cluster_.inventory, host_index, named, assumptions,
                                             findings, diagnostics_);
    if (diagnostics_.has_errors()) return;
    vsphere::restrict_guests(*library_.vsphere, cluster_.vsphere, cluster_.inventory,
                             cluster_.kinds);
    vsphere::share_gpus(cluster_.inventory, cluster_.kinds);
    for (const vsphere::Assumption& assumed : vsphere::place_on_numa_nodes(
             cluster_.topology, cluster_.inventory, cluster_.kinds, library_.parameters)) {
      assumptions.push_back(assumed);
    }
    vsphere::judge({cluster_.topology, cluster_.inventory, cluster_.kinds, *library_.vsphere,
                    library_.parameters, cluster_.vsphere,
                    layout_.cluster.value_or(vsphere::ClusterSettings{})},
                   findings);
    cluster_.findings = findings.all();
    cluster_.findings.insert(cluster_.findings.end(), unplaced_.begin(), unplaced_.end());
    Folded hosts;
    for (const auto& [vm, host] : placed_) hosts.add(vm, "host not given, placed on " + host);
    append(cluster_.assumptions, hosts.lines("VM"));
    std::map<std::string, std::size_t> kind_of_vm;
    for (std::size_t k = 0; k < cluster_.kinds.size(); ++k) {
      kind_of_vm.emplace(cluster_.kinds[k].name, k);
    }
    std::multimap<std::string, std::string> assumed;
    for (const auto& [vm, text] : assumptions) assumed.emplace(vm, text);
    Folded folded;
    for (std::size_t h = 0; h < entries_.size(); ++h) add_vms(h, kind_of_vm, assumed, folded);
    append(cluster_.assumptions, folded.lines("VM"));
    for (vsphere::Finding& lost : lost_for_want_of_hosts(layout_, cluster_, library_)) {
      cluster_.findings.push_back(std::move(lost));
    }
    if (!layout_.vsphere.given) {
      cluster_.assumptions.push_back(
          fmt::format("vSphere version not given, {}", cluster_.vsphere));
    }
  }

  /// Adds the VMs of a host, sorted by content, then by name.
  void add_vms(std::size_t h, const std::map<std::string, std::size_t>& kind_of_vm,
               const std::multimap<std::string, std::string>& assumed, Folded& folded) {
    const HostEntry& model = entries_[first_of_kind_[cluster_.hosts[h].kind]];
    const std::vector<VmEntry>& vms = entries_[h].vms;
    std::vector<std::size_t> order(vms.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return vms[a].key < vms[b].key; });
    for (const std::size_t i : order) {
      const std::string& like = model.vms[i].vm->name;
      const std::string& name = vms[i].vm->name;
      cluster_.machines.push_back({name, h, kind_of_vm.at(like)});
      const auto [begin, end] = assumed.equal_range(like);
      for (auto it = begin; it != end; ++it) folded.add(name, it->second);
    }
  }

  const Layout& layout_;
  const Library& library_;
  const input::FileLoader& load_;
  Diagnostics& diagnostics_;
  std::vector<NamedVm> vms_;
  std::vector<std::pair<std::string, std::string>>
      placed_;                              ///< VM and host, for VMs without a given host
  std::vector<vsphere::Finding> unplaced_;  ///< for VMs that cannot be placed
  bool trains_ = false;
  std::vector<HostEntry> entries_;
  std::vector<std::size_t> first_of_kind_;  ///< index into entries_, by kind
  std::vector<std::size_t> without_storage_;
  std::vector<std::string> fabric_assumptions_;
  Cluster cluster_;
};

}  // namespace

bool Cluster::is_refused() const {
  return std::any_of(findings.begin(), findings.end(), [](const vsphere::Finding& finding) {
    return finding.verdict == vsphere::Verdict::kRefused;
  });
}

std::string Cluster::name_in(std::size_t host, const std::string& built_name) const {
  const std::string& built = topology.hosts[hosts[host].kind].name;
  std::string result;
  for (std::size_t at = 0; at < built_name.size();) {
    const std::size_t next = built_name.find(built + "/", at);
    result += built_name.substr(at, next - at);
    if (next == std::string::npos) break;
    result += hosts[host].name + "/";
    at = next + built.size() + 1;
  }
  return result;
}

std::string Cluster::gpu_name(std::size_t machine, std::size_t gpu) const {
  const vsphere::VirtualMachine& kind = kinds[machines[machine].kind];
  const auto vertex = topology.hosts[kind.host].gpus[kind.gpus[gpu]];
  return name_in(machines[machine].host, topology.node(vertex).name);
}

Cluster build_cluster(const Layout& layout, const Library& library, const input::FileLoader& load,
                      const Distinction& distinction, Diagnostics& diagnostics) {
  Diagnostics found;
  Cluster cluster = Builder(layout, library, load, found).build(distinction);
  diagnostics.append(found);
  return cluster;
}

}  // namespace vgsim::scenario
