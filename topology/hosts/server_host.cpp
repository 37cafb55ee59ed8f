#include "topology/hosts/server_host.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "topology/catalog/numa_nodes.hpp"
#include "topology/catalog/part_fit.hpp"
#include "topology/hosts/nic_slots.hpp"
#include "topology/input/name_ranges.hpp"
#include "topology/input/suggest.hpp"
#include "topology/look_up.hpp"
#include "topology/nvlink_layout.hpp"

namespace vgsim::topology {
namespace {

using input::Diagnostics;

/// The name of the BIOS setting for NUMA nodes, by CPU vendor.
const char* numa_setting(const CpuModel& cpu) {
  if (cpu.vendor == "amd") return " (NPS)";
  return cpu.vendor == "intel" ? " (SNC)" : "";
}

/// NUMA nodes per socket as in the scenario, if the CPU supports that number.
std::int64_t nodes_per_socket(const ServerModel& server, const CpuModel& cpu, const HostSpec& host,
                              Diagnostics& diagnostics) {
  const auto& wanted = host.numa_nodes_per_socket;
  if (!wanted) return server.numa_nodes_per_socket;
  const auto& offered = cpu.numa_nodes_per_socket;
  const std::int64_t nodes = **wanted;
  if (std::find(offered.begin(), offered.end(), nodes) != offered.end()) return nodes;
  report(diagnostics, *wanted,
         fmt::format("{} of {} does not offer {} NUMA nodes per socket{}", cpu.name, server.name,
                     nodes, numa_setting(cpu)),
         fmt::format("one of: {}", fmt::join(offered, ", ")));
  return server.numa_nodes_per_socket;
}

/// Checks that the cores per node in the scenario fit a socket.
void check_cores(const CpuModel& cpu, std::int64_t nodes, const HostSpec& host,
                 Diagnostics& diagnostics) {
  const auto& cores = host.numa_node.cores;
  if (!cores || cpu.most_cores == 0 || **cores * nodes <= cpu.most_cores) return;
  const std::string in_socket = nodes == 1
                                    ? fmt::format("{} cores", **cores)
                                    : fmt::format("{} NUMA nodes of {} cores", nodes, **cores);
  report(diagnostics, *cores,
         fmt::format("{} in a socket: {} has at most {}", in_socket, cpu.name, cpu.most_cores),
         fmt::format("cores of one NUMA node, at most {}", cpu.most_cores / nodes));
}

/// The server with the NUMA nodes that the scenario sets.
ServerModel as_set_up(const ServerModel& server, DeviceBuilder& devices, const HostSpec& host,
                      Diagnostics& diagnostics) {
  const CpuModel& cpu = devices.catalog().cpus.at(server.cpu.value);
  const std::int64_t nodes = nodes_per_socket(server, cpu, host, diagnostics);
  check_cores(cpu, nodes, host, diagnostics);
  NumaSplit split = with_numa_nodes(server, nodes);
  if (!split.guessed.empty()) {
    devices.assume(fmt::format("NUMA nodes of {} unknown: assigned in that order",
                               fmt::join(split.guessed, ", ")));
  }
  return std::move(split.server);
}

/// A number of GPUs of a model; 0 for an unknown one.
struct GpuChoice {
  std::size_t count = 0;
  const GpuModel* model = nullptr;
};

/// Builds a host from a catalogue server.
class ServerBuilder {
 public:
  ServerBuilder(DeviceBuilder& devices, const ServerModel& server, const HostSpec& spec,
                Diagnostics& diagnostics)
      : devices_(devices),
        server_(as_set_up(server, devices, spec, diagnostics)),
        spec_(spec),
        diagnostics_(diagnostics) {}

  void build() {
    add_chassis();
    add_gpus();
    add_nics();
    add_storage();
  }

 private:
  const Catalog& catalog() const { return devices_.catalog(); }

  void add_chassis() {
    devices_.host().server = server_.id;
    const CpuModel& cpu = catalog().cpus.at(server_.cpu.value);
    const std::int64_t nodes = server_.numa_nodes_per_socket;
    for (std::int64_t i = 0; i < server_.sockets * nodes; ++i) devices_.add_socket(cpu, nodes);
    devices_.join_sockets(cpu, nodes);
    for (const auto& [name, complex] : server_.root_complexes) {
      const auto node = static_cast<std::size_t>(complex.socket * nodes + complex.numa_node);
      places_[name] = devices_.add_root_complex(devices_.host().sockets.at(node), name);
    }
    for (bool progress = true; progress;) {
      progress = false;
      for (const auto& [name, uplink] : server_.pcie_switches) {
        if (places_.contains(name) || !places_.contains(uplink.under)) continue;
        places_[name] = devices_.add_pcie_switch(places_.at(uplink.under), name,
                                                 {uplink.generation, uplink.lanes}, uplink.source);
        progress = true;
      }
    }
  }

  GpuChoice choose_gpus() {
    if (spec_.gpus) {
      GpuChoice choice{(*spec_.gpus)->count,
                       named_gpu(*spec_.gpus, catalog(), server_.default_gpu, diagnostics_)};
      if (choice.count > server_.gpu_slots.size()) {
        report(diagnostics_, *spec_.gpus,
               fmt::format("{} has {} GPU slots, not {}", server_.name, server_.gpu_slots.size(),
                           choice.count));
        choice.count = server_.gpu_slots.size();
      }
      check_fit(choice);
      return choice;
    }
    const auto found = catalog().gpus.find(server_.default_gpu);
    if (found == catalog().gpus.end()) return {};
    devices_.assume(fmt::format("GPUs not given: {} x {}, the server's default",
                                server_.gpu_slots.size(), found->first));
    return {server_.gpu_slots.size(), &found->second};
  }

  void check_fit(const GpuChoice& choice) {
    const auto why =
        choice.model == nullptr ? std::nullopt : incompatibility(*choice.model, server_);
    if (!why) return;
    const auto fitting = compatible_gpus(catalog(), server_, choice.model->id);
    const bool is_like = !fitting.empty() && fitting.front().front() == choice.model->id.front();
    report(diagnostics_, *spec_.gpus,
           fmt::format("{} does not go into {}: {}", choice.model->name, server_.name, *why),
           input::one_of(choice.model->id, fitting, "vgsim catalog gpus"),
           is_like ? std::vector{fitting.front()} : std::vector<std::string>());
  }

  void add_gpus() {
    const GpuChoice choice = choose_gpus();
    if (choice.model == nullptr) return;
    gpu_ = choice.model;
    for (std::size_t i = 0; i < choice.count; ++i) {
      const PcieAttachment& slot = server_.gpu_slots[i];
      const PcieWidth width{slot.generation, slot.lanes};
      if (gpu_->onboard_nic.empty()) {
        devices_.add_gpu(places_.at(slot.under), gpu_, width, slot.source);
      } else {
        add_converged_card(places_.at(slot.under), i, width, slot.source);
      }
    }
    join_nvlinks();
  }

  /// Adds a card with a switch, a GPU and a NIC: "gpu2-nic" next to "gpu2".
  void add_converged_card(Vertex parent, std::size_t index, PcieWidth slot,
                          const std::string& source) {
    const PcieWidth width = slot.meet({gpu_->pcie_generation, gpu_->pcie_lanes});
    const Vertex card =
        devices_.add_pcie_switch(parent, fmt::format("gpu{}-card", index), width, source);
    devices_.add_gpu(card, gpu_, width, source);
    const NicModel& nic = catalog().nics.at(gpu_->onboard_nic);
    devices_.add_nic(card, host_nic(nic, fmt::format("gpu{}-nic", index)), nic.id,
                     width.meet({nic.pcie_generation, nic.pcie_lanes}), source);
  }

  const NvLinkGeneration* nvlink() const {
    const auto found = catalog().nvlinks.find(gpu_->nvlink);
    return found == catalog().nvlinks.end() ? nullptr : &found->second;
  }

  void join_nvlinks() {
    const NvLinkLayout& layout = server_.nvlink;
    if (spec_.nvlink_bridges) add_bridges(**spec_.nvlink_bridges);
    if (layout.kind == NvLinkLayout::Kind::kNone || nvlink() == nullptr) return;
    if (layout.kind == NvLinkLayout::Kind::kBridge) {
      if (!spec_.nvlink_bridges && supports_nvlink_bridges(*gpu_)) {
        devices_.assume(
            "NVLink bridges not given: assumed none, although the server supports them");
      }
      return;
    }
    apply_nvlink_layout(devices_, layout, *gpu_);
  }

  /// The four-way bridge with all six pairs in the list, including this one.
  std::optional<std::array<std::size_t, 4>> four_way(
      const GpuPair& pair, const std::vector<input::At<GpuPair>>& bridges) const {
    const auto listed = [&](std::size_t a, std::size_t b) {
      return std::any_of(bridges.begin(), bridges.end(), [&](const input::At<GpuPair>& each) {
        return std::pair(std::min(each->first, each->second),
                         std::max(each->first, each->second)) == std::pair(a, b);
      });
    };
    for (const auto& group : four_way_bridges(server_, *gpu_, devices_.host().gpus.size())) {
      bool whole = true;
      for (std::size_t a = 0; a < 4; ++a) {
        for (std::size_t b = a + 1; b < 4; ++b) whole = whole && listed(group[a], group[b]);
      }
      const auto has = [&](std::size_t gpu) {
        return std::find(group.begin(), group.end(), gpu) != group.end();
      };
      if (whole && has(pair.first) && has(pair.second)) return group;
    }
    return std::nullopt;
  }

  /// A GPU shares its links out among the three others of a four-way bridge.
  void add_bridges(const std::vector<input::At<GpuPair>>& bridges) {
    std::set<std::size_t> bridged;
    for (const input::At<GpuPair>& pair : bridges) {
      if (supports_nvlink_bridges(*gpu_) && nvlink() != nullptr && four_way(*pair, bridges)) {
        const auto& gpus = devices_.host().gpus;
        devices_.join_nvlink(gpus[pair->first], gpus[pair->second], *nvlink(),
                             gpu_->nvlink_links / 3, gpu_);
        continue;
      }
      const auto [a, b] = *pair;
      if (bridge_is_possible(pair) && bridged.insert(a).second && bridged.insert(b).second) {
        const auto& gpus = devices_.host().gpus;
        devices_.join_nvlink(gpus[a], gpus[b], *nvlink(), gpu_->nvlink_links, gpu_);
      } else if (!diagnostics_.has_errors()) {
        report(diagnostics_, pair, "a GPU carries one bridge only");
      }
    }
  }

  bool bridge_is_possible(const input::At<GpuPair>& pair) {
    const std::size_t a = pair->first;
    const std::size_t b = pair->second;
    if (gpu_->nvlink.empty() || nvlink() == nullptr) {
      report(diagnostics_, pair, fmt::format("{} has no NVLink", gpu_->name));
      return false;
    }
    if (std::max(a, b) >= devices_.host().gpus.size()) {
      report(diagnostics_, pair,
             fmt::format("the host has GPUs 0 to {}", devices_.host().gpus.size() - 1),
             fmt::format("at most {} pairs of {} GPUs, numbered from 0",
                         devices_.host().gpus.size() / 2, devices_.host().gpus.size()));
      return false;
    }
    if (!supports_nvlink_bridges(*gpu_)) {
      report(diagnostics_, pair,
             fmt::format("{} takes no NVLink bridge: its form factor is {}", gpu_->name,
                         gpu_->form_factor));
      return false;
    }
    const auto pairs = possible_bridge_pairs(server_, *gpu_, devices_.host().gpus.size());
    const std::pair wanted{std::min(a, b), std::max(a, b)};
    if (std::find(pairs.begin(), pairs.end(), wanted) != pairs.end()) return true;
    std::vector<std::string> words;
    for (const auto& [one, other] : pairs) words.push_back(fmt::format("[{}, {}]", one, other));
    report(diagnostics_, pair,
           fmt::format("{} takes no NVLink bridge between GPU {} and GPU {}", server_.name, a, b),
           words.empty() ? "none: it has no bridges"
                         : fmt::format("one of: {}", fmt::join(words, ", ")));
    return false;
  }

  void add_nics() {
    const auto places =
        place_nics(server_, devices_.host().gpus.size(), spec_.nics, catalog(), diagnostics_);
    std::map<std::string, Vertex> placed;
    std::set<std::string> taken;
    for (const input::Named<NicSpec>& nic : in_natural_order(spec_.nics)) {
      const auto found = places.find(nic.name);
      if (found == places.end() || !devices_.is_free_name(nic, diagnostics_)) continue;
      const auto& [model, slot, link, card] = found->second;
      taken.insert(slot);
      const PcieWidth width = PcieWidth{link->generation, link->lanes}.meet(
          {model->pcie_generation, model->pcie_lanes});
      placed[nic.name] =
          card.empty() ? devices_.add_nic(places_.at(link->under), host_nic(*model, nic.name),
                                          model->id, width, link->source)
                       : devices_.add_port(placed.at(card), host_nic(*model, nic.name), model->id);
    }
    auto& free = devices_.host().free_slots.emplace();
    for (const auto& [name, slot] : server_.nic_slots) {
      if (!taken.contains(name)) free.push_back({name, places_.at(slot.under), slot.form_factor});
    }
  }

  void add_storage() {
    if (!spec_.storage) return;
    const Vertex parent =
        server_.nvme ? places_.at(server_.nvme->under) : devices_.host().sockets.front();
    devices_.add_storage(*spec_.storage, parent, diagnostics_);
  }

  DeviceBuilder& devices_;
  ServerModel server_;
  const HostSpec& spec_;
  Diagnostics& diagnostics_;
  const GpuModel* gpu_ = nullptr;
  std::map<std::string, Vertex> places_;  ///< root complexes and switches by name
};

}  // namespace

void build_server_host(DeviceBuilder& devices, const ServerModel& server, const HostSpec& spec,
                       Diagnostics& diagnostics) {
  ServerBuilder(devices, server, spec, diagnostics).build();
}

}  // namespace vgsim::topology
