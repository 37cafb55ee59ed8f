#include <fmt/format.h>

#include <algorithm>

#include "tests/generated/relations.hpp"

namespace vgsim::generated {
namespace {

using topology::NicModel;

bool is_better(const NicModel& a, const NicModel& b) {
  return b.port_rate.value > a.port_rate.value && b.latency.value <= a.latency.value &&
         b.payload_share.value >= a.payload_share.value && b.net == a.net && b.rdma == a.rdma &&
         b.gdr >= a.gdr && b.dpu == a.dpu && b.pcie_generation >= a.pcie_generation &&
         b.pcie_lanes >= a.pcie_lanes && b.nccl_protocols == a.nccl_protocols;
}

/// The next faster NIC that is worse in nothing; empty where there is none.
std::string faster_nic(const topology::Catalog& catalog, const std::string& name) {
  const auto known = catalog.nics.find(name);
  if (known == catalog.nics.end()) return "";
  const NicModel* best = nullptr;
  for (const auto& [other, nic] : catalog.nics) {
    if (!is_better(known->second, nic)) continue;
    if (best == nullptr || nic.port_rate.value < best->port_rate.value) best = &nic;
  }
  return best == nullptr ? "" : best->id;
}

bool with_faster_nics(const topology::Catalog& catalog, Json& host) {
  if (!host.contains("nics")) return false;
  bool any = false;
  for (auto& [name, nic] : host["nics"].items()) {
    const std::string faster = faster_nic(catalog, nic["nic"]);
    if (faster.empty()) continue;
    nic["nic"] = faster;
    any = true;
  }
  return any;
}

/// "4 x a100-pcie-40gb" with another GPU in its place.
bool with_other_gpu(Json& host, const std::function<std::string(const std::string&)>& other) {
  if (!host.contains("gpus") || !host["gpus"].is_string()) return false;
  const std::string text = host["gpus"];
  const std::size_t space = text.rfind(' ');
  if (space == std::string::npos) return false;
  const std::string found = other(text.substr(space + 1));
  if (found.empty()) return false;
  host["gpus"] = text.substr(0, space + 1) + found;
  return true;
}

/// The same GPU with more memory, which is as fast or faster in all else.
std::string with_more_memory(const std::string& gpu) {
  static const std::map<std::string, std::string> kLarger = {
      {"v100-pcie-16gb", "v100-pcie-32gb"},  {"v100-sxm2-16gb", "v100-sxm2-32gb"},
      {"a100-pcie-40gb", "a100-pcie-80gb"},  {"a100-sxm4-40gb", "a100-sxm4-80gb"},
      {"h100-sxm5-80gb", "h200-sxm5-141gb"}, {"h100-nvl-94gb", "h200-nvl-141gb"}};
  const auto found = kLarger.find(gpu);
  return found == kLarger.end() ? "" : found->second;
}

bool uses_no_vgpus(const Json& scenario) {
  return scenario.value("vms", Json::object()).dump().find("\"vgpu\"") == std::string::npos;
}

std::optional<Changed> with_gpus(const Json& scenario,
                                 const std::function<std::string(const std::string&)>& other) {
  if (!uses_no_vgpus(scenario)) return std::nullopt;  // whose profiles name the GPU
  return each_of(scenario, "hosts", [&](Json& host) { return with_other_gpu(host, other); });
}

/// A NIC more that no VM uses, in a slot that is free.
std::optional<Changed> with_idle_nic(const topology::Catalog& catalog, const Json& scenario) {
  if (!scenario.contains("vms")) return std::nullopt;
  for (const auto& [name, vm] : scenario["vms"].items()) {
    if (!vm.contains("nics")) return std::nullopt;  // it uses all that there are
  }
  return each_of(scenario, "hosts", [&](Json& host) {
    if (!host.contains("server") || !host["server"].is_string()) return false;
    const auto server = catalog.servers.find(host["server"].get<std::string>());
    const Json nics = host.value("nics", Json::object());
    if (server == catalog.servers.end() || nics.size() >= server->second.nic_slots.size() ||
        nics.empty() || nics.begin().key().find('[') != std::string::npos) {
      return false;
    }
    host["nics"]["idle0"] = {{"nic", nics.begin().value()["nic"]}};
    return true;
  });
}

/// Whether all VMs have each host to themselves, so that the host as it is does the same work.
bool whole_hosts(const Json& scenario) {
  for (const auto& [name, vm] : scenario["vms"].items()) {
    const Json gpus = vm.value("gpus", Json{{"mode", "passthrough"}});
    if (gpus["mode"] == "vgpu" || gpus.contains("devices") || gpus.contains("count")) return false;
    if (vm.contains("nics") || vm.contains("remote_client")) return false;
  }
  return !scenario["job"].contains("vms") && !scenario["job"].contains("ranks") &&
         !scenario.contains("disruptions");
}

bool with_bridges(const topology::Catalog& catalog, Json& host) {
  if (host.contains("nvlink_bridges") || !host.contains("server") || !host["server"].is_string()) {
    return false;
  }
  const auto server = catalog.servers.find(host["server"].get<std::string>());
  if (server == catalog.servers.end() ||
      server->second.nvlink.kind != topology::NvLinkLayout::Kind::kBridge) {
    return false;
  }
  for (const auto& [a, b] : server->second.nvlink.pairs) host["nvlink_bridges"].push_back({a, b});
  return true;
}

void add_network_relations(std::vector<Relation>& to) {
  using E = Effect;
  to.push_back({"ports twice as fast", E::kNotSlower, "a switch port of twice the rate",
                [](const Json& s) -> std::optional<Changed> {
                  if (!s.contains("fabric") || !s["fabric"].contains("host_link")) return {};
                  return with(s, "/fabric/host_link", times(s["fabric"]["host_link"], 2));
                }});
  to.push_back({"uplinks twice as fast", E::kNotSlower, "wider links between switches",
                [](const Json& s) -> std::optional<Changed> {
                  if (!s.contains("fabric") || !s["fabric"].contains("uplink")) return {};
                  return with(s, "/fabric/uplink", times(s["fabric"]["uplink"], 2));
                }});
  to.push_back({"twice the spines", E::kNotSlower, "more links between switches",
                [](const Json& s) -> std::optional<Changed> {
                  if (!s.contains("fabric") || !s["fabric"].contains("uplink")) return {};
                  return with(s, "/fabric/spines", 2 * s["fabric"].value("spines", 1));
                }});
  to.push_back({"one leaf of all hosts", E::kNotSlower, "fewer hops, and nothing oversubscribed",
                [](const Json& s) -> std::optional<Changed> {
                  if (!s.contains("fabric") || s["fabric"].value("kind", "") != "leaf-spine")
                    return {};
                  Changed changed{s, {}};
                  Json fabric = {{"kind", "single-switch"}};
                  for (const char* same : {"host_link", "switch"}) {
                    if (s["fabric"].contains(same)) fabric[same] = s["fabric"][same];
                  }
                  changed.scenario["fabric"] = fabric;
                  return changed;
                }});
  to.push_back({"no latency", E::kNotSlower, "no link, switch or software adds latency",
                [](const Json& s) { return with(s, "/idealise/latency", "zero"); }});
  to.push_back({"line rate", E::kNotSlower, "payload gets all of a link",
                [](const Json& s) { return with(s, "/idealise/bandwidth", "line_rate"); }});
}

void add_host_relations(std::vector<Relation>& to) {
  using E = Effect;
  to.push_back(
      {"storage twice as fast", E::kNotSlower, "input is there earlier", [](const Json& s) {
         return each_of(s, "hosts", [](Json& host) {
           if (!host.contains("storage")) return false;
           host["storage"]["read"] = times(host["storage"]["read"], 2);
           return true;
         });
       }});
  to.push_back(
      {"ACS off", E::kNotSlower, "peer-to-peer traffic takes the shorter way", [](const Json& s) {
         return each_of(s, "hosts", [](Json& host) { return host.erase("acs") > 0; });
       }});
  to.push_back(
      {"ATS on", E::kNotSlower, "devices keep the IOMMU's translations", [](const Json& s) {
         return each_of(s, "hosts", [](Json& host) {
           if (host.value("topology", "").starts_with("nccl:")) return false;
           host["bios"]["ats"] = true;
           return true;
         });
       }});
  to.push_back({"switching on a DPU", E::kNotSlower,
                "the virtual switch takes no cores of the host", [](const Json& s) {
                  return each_of(s, "hosts", [](Json& host) {
                    if (host.value("dpu_offload", false)) return false;
                    host["dpu_offload"] = true;
                    return true;
                  });
                }});
  to.push_back({"no neighbours", E::kNotSlower, "no other load on links and cores",
                [](const Json& s) { return without(s, "/neighbours"); }});
  to.push_back({"no faults", E::kNotSlower, "no link fails or slows down",
                [](const Json& s) { return without(s, "/faults"); }});
  to.push_back({"no stragglers", E::kNotSlower, "no rank is slower than it should be",
                [](const Json& s) { return without(s, "/variability/stragglers"); }});
}

}  // namespace

void add_machine_relations(const scenario::Library& library, std::vector<Relation>& to) {
  using E = Effect;
  const auto catalog = library.catalog;
  add_network_relations(to);
  add_host_relations(to);
  to.push_back({"faster NICs", E::kNotSlower, "the next faster NIC that is worse in nothing",
                [catalog](const Json& s) {
                  return each_of(s, "hosts",
                                 [&](Json& host) { return with_faster_nics(*catalog, host); });
                }});
  to.push_back({"an idle NIC", E::kNotSlower, "a NIC more that no VM uses",
                [catalog](const Json& s) { return with_idle_nic(*catalog, s); }});
  to.push_back({"GPUs with more memory", E::kNotSlower, "the same GPU, as fast or faster in all",
                [](const Json& s) { return with_gpus(s, with_more_memory); }});
  to.push_back({"newer GPUs", E::kNotSlower, "what the catalogue has as the GPU's successor",
                [catalog](const Json& s) {
                  return with_gpus(s, [&](const std::string& gpu) {
                    const auto known = catalog->gpus.find(gpu);
                    return known == catalog->gpus.end() ? "" : known->second.successor;
                  });
                }});
  to.push_back(
      {"NVLink bridges", E::kNotSlower, "pairs of GPUs have a link more", [catalog](const Json& s) {
         return each_of(s, "hosts", [&](Json& host) { return with_bridges(*catalog, host); });
       }});
  to.push_back({"bare metal", E::kNotSlower, "the same hosts without VMs",
                [](const Json& s) -> std::optional<Changed> {
                  if (!s.contains("vms") || !whole_hosts(s)) return {};
                  return without(s, "/vms");
                }});
}

}  // namespace vgsim::generated
