#include "models/scenario/answer/inputs.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "models/collectives/step_costs.hpp"
#include "models/collectives/stream.hpp"
#include "models/scenario/read/library.hpp"
#include "topology/input/units/unit_strings.hpp"

namespace vgsim::scenario {
namespace {

UsedInput parameter_input(const calibration::Parameters& parameters, const std::string& name) {
  const calibration::Parameter& parameter = parameters.at(name);
  UsedInput input;
  input.name = name;
  input.value = parameter.written;
  if (parameter.spreads) {
    input.low = parameter.low;
    input.high = parameter.high;
  }
  const bool is_interval_alone = name.ends_with("_spread");
  if (is_interval_alone) input.value = fmt::format("{} to {}", parameter.low, parameter.high);
  input.source = parameter.source;
  input.calibrated = input.source.starts_with("calibration ");
  input.knowledge =
      input.calibrated ? Knowledge::kFitted : knowledge_of(topology::evidence_in(input.source));
  return input;
}

/// Collects catalogue values, without duplicates.
class CatalogInputs {
 public:
  void add(const std::string& name, const std::string& value, const std::string& source) {
    UsedInput input;
    input.name = name;
    input.value = value;
    input.source = source;
    input.knowledge = knowledge_of(topology::evidence_in(source));
    inputs_.emplace(std::pair(name, value), std::move(input));
  }

  void append_to(std::vector<UsedInput>& inputs) const {
    for (const auto& [key, input] : inputs_) inputs.push_back(input);
  }

 private:
  std::map<std::pair<std::string, std::string>, UsedInput> inputs_;
};

void add_gpu(const topology::GpuModel& gpu, const Job& job, CatalogInputs& inputs) {
  if (!job.training) return;
  inputs.add(gpu.id + ": memory", input::format_bytes(gpu.memory.value), gpu.memory.source);
  inputs.add(gpu.id + ": memory bandwidth", input::format_rate(gpu.memory_bandwidth.value),
             gpu.memory_bandwidth.source);
  const auto peak = gpu.peak.find(job.training->precision);
  if (peak != gpu.peak.end()) {
    inputs.add(fmt::format("{}: peak {}", gpu.id, peak->first),
               input::format_flops_rate(peak->second.value), peak->second.source);
  }
  const auto& shares = job.training->network->achieved_share;
  const auto share = shares.find(job.training->precision);
  if (share != shares.end() && !job.training->achieved_share && !job.training->matrix_share) {
    inputs.add(
        fmt::format("{}: achieved share of the {} peak", job.training->network->name, share->first),
        fmt::format("{}", share->second.value), share->second.source);
  }
}

/// "8 GPU slots of Gen5 x16, 4 PCIe switches, 2 sockets", with the source of the part of the tree
/// above its GPUs that is known least.
void add_server(const topology::ServerModel& server, CatalogInputs& inputs) {
  if (server.gpu_slots.empty()) return;
  const topology::PcieAttachment& slot = server.gpu_slots.front();
  const std::string* source = &slot.source;
  const auto look_at = [&](const topology::PcieAttachment& each) {
    const auto known = [](const std::string& text) {
      return knowledge_of(topology::evidence_in(text));
    };
    if (known(each.source) > known(*source)) source = &each.source;
  };
  std::set<std::string> switches;
  for (const topology::PcieAttachment& each : server.gpu_slots) {
    look_at(each);
    const auto above = server.pcie_switches.find(each.under);
    if (above == server.pcie_switches.end()) continue;
    look_at(above->second);
    switches.insert(above->first);
  }
  const auto counted = [](std::size_t count, const char* what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
  };
  std::string tree = fmt::format("{} of Gen{} x{}", counted(server.gpu_slots.size(), "GPU slot"),
                                 slot.generation, slot.lanes);
  if (!switches.empty()) {
    tree += fmt::format(", {} PCIe switch{}", switches.size(), switches.size() == 1 ? "" : "es");
  }
  tree += ", " + counted(static_cast<std::size_t>(server.sockets), "socket");
  inputs.add(server.id + ": PCIe tree", tree, *source);
}

void add_parts(const Placement& placement, const Library& library, CatalogInputs& inputs) {
  const topology::Topology& built = placement.cluster->topology;
  for (const topology::Host& host : built.hosts) {
    const auto server = library.catalog->servers.find(host.server);
    if (server != library.catalog->servers.end()) add_server(server->second, inputs);
    for (const topology::Vertex gpu : host.gpus) {
      const auto model = library.catalog->gpus.find(built.node(gpu).model);
      if (model != library.catalog->gpus.end()) add_gpu(model->second, placement.job, inputs);
    }
    for (const topology::HostNic& nic : host.nics) {
      const auto model = library.catalog->nics.find(built.node(nic.vertex).model);
      if (model == library.catalog->nics.end()) continue;
      inputs.add(model->first + ": latency", input::format_time(model->second.latency.value),
                 model->second.latency.source);
    }
  }
}

void add_links(const Placement& placement, const LayoutResult& result, CatalogInputs& inputs) {
  for (const topology::LinkResource& link : placement.cluster->topology.resources) {
    const std::string kind = topology::to_string(link.kind);
    const bool used =
        std::any_of(result.links.begin(), result.links.end(),
                    [&](const LinkUse& use) { return use.kind == kind && use.bytes > 0; });
    if (!used || link.source.empty() || link.source == "scenario") continue;
    inputs.add(fmt::format("link {}: rate", kind),
               fmt::format("{}, {:.3g} of it for payload", input::format_rate(link.line_rate),
                           link.payload_share),
               link.source);
  }
}

/// Parameters of GPU generations and transports that are not part of this job.
std::set<std::string> foreign_to(const Placement& placement, const Library& library) {
  std::set<collectives::nccl::Generation> generations;
  for (const vsphere::GuestView& view : placement.views()) {
    for (std::size_t g = 0; g < view.gpu_count(); ++g) {
      const auto& name = placement.cluster->topology.node(view.gpu(g)).model;
      const auto model = library.catalog->gpus.find(name);
      if (model == library.catalog->gpus.end()) continue;
      generations.insert(
          topology::generation_of(static_cast<int>(model->second.compute_capability)));
    }
  }
  std::set<collectives::Transport> transports;
  if (placement.ranks().is_joined()) {
    for (const collectives::Leg& leg : collectives::ring_legs(placement.ranks(), 0)) {
      transports.insert(leg.transport);
    }
  }
  auto names = collectives::foreign_parameters(generations, transports);
  const auto& job = placement.job.collective;
  if (!job || job->gpus_per_thread == 1)
    names.merge(
        std::set<std::string>{"thread_launch_time", "thread_channel_time", "thread_peer_time"});
  return names;
}

/// Whether NCCL uses in-network reductions: in NVSwitches ("NVLS"), or in network switches
/// ("CollNet").
bool reduces_by(const LayoutResult& result, const char* word) {
  const auto is_meant = [&](const std::string& algorithm) {
    return algorithm.find(word) != std::string::npos;
  };
  if (result.training) {
    if (!result.training->communication.empty()) return true;  // unknown by axis
    for (const auto& [algorithm, buckets] : result.training->algorithms) {
      if (is_meant(algorithm)) return true;
    }
  }
  if (!result.collective) return false;
  return std::any_of(
      result.collective->points.begin(), result.collective->points.end(),
      [&](const auto& point) { return point.choice && is_meant(point.choice->algorithm); });
}

bool concerns(const std::string& parameter, const LayoutResult& result) {
  if (parameter.find("_nvls_") != std::string::npos) return reduces_by(result, "NVLS");
  if (parameter.starts_with("in_network_")) return reduces_by(result, "CollNet");
  return true;
}

}  // namespace

std::vector<UsedInput> inputs_of(const Placement& placement, const Library& library,
                                 const std::set<std::string>& parameters,
                                 const LayoutResult& result) {
  std::vector<UsedInput> inputs;
  const std::set<std::string> foreign = foreign_to(placement, library);
  for (const std::string& name : parameters) {
    if (foreign.contains(name) || !concerns(name, result)) continue;
    inputs.push_back(parameter_input(library.parameters, name));
  }
  CatalogInputs catalog;
  add_parts(placement, library, catalog);
  add_links(placement, result, catalog);
  catalog.append_to(inputs);
  return inputs;
}

}  // namespace vgsim::scenario
