#include "models/vsphere/import/cluster_scenario.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "topology/input/folded_names.hpp"
#include "topology/input/name_ranges.hpp"

namespace vgsim::vsphere::import {
namespace {

using ScenarioJson = nlohmann::ordered_json;
using input::FoldedNames;

/// VMs that are equal but for name and host.
struct EqualVms {
  ScenarioJson vm;
  std::vector<std::pair<std::string, std::string>> names;  ///< of VM and host
};

std::vector<EqualVms> equal_vms(const ScenarioJson& vms) {
  std::vector<EqualVms> groups;
  std::map<std::string, std::size_t> index;
  for (const auto& [name, vm] : vms.items()) {
    ScenarioJson rest = vm;
    const std::string host = rest.value("host", "");
    rest.erase("host");
    const auto [known, is_new] = index.try_emplace(rest.dump(), groups.size());
    if (is_new) groups.push_back({std::move(rest), {}});
    groups[known->second].names.emplace_back(name, host);
  }
  for (EqualVms& group : groups) {
    std::ranges::sort(group.names, [](const auto& a, const auto& b) {
      return input::natural_less(a.first, b.first);
    });
  }
  return groups;
}

/// The n-th VM of each host for each n, so that no host is twice in one; or those of each host,
/// where that is fewer.
std::vector<FoldedNames> fold_group(const EqualVms& group) {
  std::map<std::string, std::vector<std::string>> of_host;
  std::vector<std::vector<std::pair<std::string, std::string>>> layers;
  for (const auto& [name, host] : group.names) {
    std::vector<std::string>& there = of_host[host];
    if (there.size() == layers.size()) layers.emplace_back();
    layers[there.size()].emplace_back(name, host);
    there.push_back(name);
  }
  std::vector<FoldedNames> folded;
  if (layers.size() <= of_host.size() && !of_host.contains("")) {
    for (const auto& layer : layers) {
      std::ranges::move(input::fold_pairs(layer), std::back_inserter(folded));
    }
    return folded;
  }
  for (const auto& [host, names] : of_host) {
    for (FoldedNames& text : input::fold_names(names)) {
      text.others = host;
      folded.push_back(std::move(text));
    }
  }
  return folded;
}

/// Versions of hosts differ while a cluster is upgraded.
void put_version(const std::vector<Inventory>& hosts, ClusterScenario& scenario) {
  std::map<std::string, std::size_t> versions;
  for (const Inventory& host : hosts) {
    if (const std::string version = vsphere_version(host); !version.empty()) ++versions[version];
  }
  if (versions.empty()) return;
  const auto most = std::ranges::max_element(
      versions, [](const auto& a, const auto& b) { return a.second < b.second; });
  scenario.json["vsphere"] = most->first;
  if (versions.size() == 1) return;
  scenario.assumed.push_back(
      fmt::format("vSphere {}, the version of most hosts; a scenario has one version, {} other "
                  "versions are ignored",
                  most->first, versions.size() - 1));
}

void put_hosts(const std::vector<std::string>& names, const std::vector<HostSource>& sources,
               ClusterScenario& scenario) {
  std::map<std::string, std::vector<std::string>> of_source;
  for (std::size_t h = 0; h < names.size(); ++h) of_source[sources[h].name].push_back(names[h]);
  for (std::size_t h = 0; h < names.size(); ++h) {
    const auto alike = of_source.find(sources[h].name);
    if (alike == of_source.end()) continue;
    for (const FoldedNames& text : input::fold_names(alike->second)) {
      ScenarioJson& host = scenario.json["hosts"][text.names];
      host[sources[h].is_server ? "server" : "topology"] = sources[h].name;
    }
    of_source.erase(alike);
  }
}

bool has_gpu(const Inventory& host) {
  bool found = false;
  topology::inventory::for_each_device(
      host, [&](const Device& device) { found = found || device.kind == DeviceKind::kGpu; });
  return found;
}

/// Texts for "vms" of the job: of the VMs whose GPUs are the most frequent, else of the hosts with
/// GPUs. Empty: all.
std::vector<std::string> members_of_job(const std::vector<Inventory>& hosts,
                                        const std::vector<std::string>& names,
                                        const std::vector<FoldedVms>& vms) {
  std::map<std::string, std::size_t> kinds;
  for (const FoldedVms& some : vms)
    kinds[some.vm.value("gpus", ScenarioJson()).dump()] += some.count;
  std::vector<std::string> members;
  if (kinds.size() > 1) {
    const auto most = std::ranges::max_element(
        kinds, [](const auto& a, const auto& b) { return a.second < b.second; });
    for (const FoldedVms& some : vms) {
      const bool is_kind = some.vm.value("gpus", ScenarioJson()).dump() == most->first;
      if (is_kind) members.push_back(some.names);
    }
  }
  if (!vms.empty()) return members;
  std::vector<std::string> with_gpus;
  for (std::size_t h = 0; h < hosts.size(); ++h) {
    if (has_gpu(hosts[h])) with_gpus.push_back(names[h]);
  }
  if (with_gpus.empty() || with_gpus.size() == hosts.size()) return {};
  for (FoldedNames& text : input::fold_names(with_gpus)) members.push_back(std::move(text.names));
  return members;
}

void put_job(const std::vector<Inventory>& hosts, const std::vector<std::string>& names,
             const std::vector<HostSource>& sources, ClusterScenario& scenario) {
  const ScenarioJson planned = scenario.json.value("job", ScenarioJson::object());
  std::vector<std::string> members = planned.contains("vms")
                                         ? planned["vms"].get<std::vector<std::string>>()
                                         : members_of_job(hosts, names, scenario.vms);
  // Hosts that are known only by their server model have no NICs for a job of several hosts.
  const auto server = std::ranges::find(sources, true, &HostSource::is_server);
  if (members.empty() && scenario.vms.empty() && hosts.size() > 1 && server != sources.end()) {
    members = {names[static_cast<std::size_t>(server - sources.begin())]};
  }
  ScenarioJson job = {{"$comment",
                       "A default. Other networks: vgsim catalog networks; other keys: vgsim help "
                       "scenario."},
                      {"network", "bert-large"},
                      {"batch_per_gpu", 8}};
  if (!members.empty()) job["vms"] = members;
  scenario.json["job"] = std::move(job);
  scenario.assumed.push_back(fmt::format(
      "the job: BERT-Large with 8 samples a GPU{}",
      members.empty() ? ""
                      : fmt::format(", in {}", members.size() == 1 ? members.front()
                                                                   : input::and_more(members))));
}

}  // namespace

std::vector<FoldedVms> fold_vms(const nlohmann::ordered_json& vms) {
  std::vector<FoldedVms> folded;
  for (const EqualVms& group : equal_vms(vms)) {
    for (FoldedNames& text : fold_group(group)) {
      ScenarioJson vm = ScenarioJson::object();
      if (!text.others.empty()) vm["host"] = std::move(text.others);
      vm.update(group.vm);
      folded.push_back({std::move(text.names), text.count, std::move(vm)});
    }
  }
  return folded;
}

ClusterScenario cluster_scenario(const std::vector<Inventory>& hosts, const VmFragment& fragment,
                                 const std::vector<HostSource>& sources,
                                 const nlohmann::ordered_json& planned) {
  ClusterScenario scenario;
  scenario.vms = fold_vms(fragment.vms);
  scenario.json["name"] = "imported";
  put_version(hosts, scenario);
  if (hosts.size() > 1) scenario.json["fabric"] = {{"kind", "single-switch"}};
  const std::vector<std::string> names = scenario_names(hosts);
  put_hosts(names, sources, scenario);
  for (const FoldedVms& some : scenario.vms) scenario.json["vms"][some.names] = some.vm;
  if (planned.is_object()) scenario.json.update(planned, true);
  if (!scenario.json.contains("hosts")) {
    scenario.next.emplace_back(
        "no file describes hosts, so the scenario does not run yet: import their dumps as well, or "
        "add \"hosts\" and \"job\"");
    return scenario;
  }
  put_job(hosts, names, sources, scenario);
  const bool has_server = std::ranges::any_of(sources, &HostSource::is_server);
  if (planned.is_null() && !has_server && std::ranges::none_of(hosts, has_gpu)) {
    scenario.next.emplace_back(
        "no file lists GPUs, so the scenario does not run yet: import dumps of the hosts with them "
        "(govc object.save, host.info -json, esxcli), or write \"server\" instead of \"topology\"");
  }
  return scenario;
}

}  // namespace vgsim::vsphere::import
