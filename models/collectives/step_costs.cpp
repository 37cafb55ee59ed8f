#include "models/collectives/step_costs.hpp"

#include <fmt/core.h>

namespace vgsim::collectives {
namespace {

constexpr std::array<const char*, kTransports> kTransportWords = {
    "nvlink", "pcie", "pcie_root", "host_memory", "rdma",     "staged_rdma",
    "tcp",    "efa",  "tcpx",      "tcpxo",       "libfabric"};
constexpr std::array<const char*, nccl::kProtocols> kProtocolWords = {"ll", "ll128", "simple"};

/// A step of LL over NVLink consists of a warp's loads and stores alone, whose times differ between
/// generations.
constexpr bool is_by_generation(std::size_t transport, std::size_t protocol) {
  return static_cast<Transport>(transport) == Transport::kNvLink &&
         static_cast<nccl::Protocol>(protocol) == nccl::Protocol::kLl;
}

}  // namespace

const char* parameter_word(Transport transport) {
  return kTransportWords[static_cast<std::size_t>(transport)];
}

StepCosts StepCosts::from(const calibration::Parameters& parameters, bool latency, bool limits) {
  StepCosts costs;
  costs.instant_links = !latency;
  if (latency) {
    costs.fills_pipelines = true;
    costs.thread_launch = parameters.time("thread_launch_time");
    costs.thread_channel = parameters.time("thread_channel_time");
    costs.thread_peer = parameters.time("thread_peer_time");
    for (std::size_t t = 0; t < kTransports; ++t) {
      for (std::size_t p = 0; p < nccl::kProtocols; ++p) {
        if (is_by_generation(t, p)) continue;
        costs.step[t][p] = parameters.time(
            fmt::format("{}_{}_step_latency", kTransportWords[t], kProtocolWords[p]));
      }
    }
    costs.tcp_message = parameters.time("tcp_message_time");
    costs.peer_call = parameters.time("peer_call_latency");
    costs.in_network = parameters.time("in_network_reduction_latency");
    for (std::size_t g = 0; g < nccl::kGenerations; ++g) {
      costs.launch[g] =
          parameters.time(fmt::format("{}_launch_latency", topology::kGpuGenerationWords[g]));
      costs.nvlink_ll_step[g] = parameters.time(
          fmt::format("{}_nvlink_ll_step_latency", topology::kGpuGenerationWords[g]));
      costs.nvls[g] =
          parameters.time(fmt::format("{}_nvls_latency", topology::kGpuGenerationWords[g]));
      costs.nvls_turnaround[g] =
          parameters.time(fmt::format("{}_nvls_turnaround", topology::kGpuGenerationWords[g]));
      costs.bulk[g] =
          parameters.time(fmt::format("{}_bulk_latency", topology::kGpuGenerationWords[g]));
    }
  }
  if (!limits) return costs;
  costs.tcp_channel_rate = Ratio(parameters.rate("tcp_channel_rate").count());
  costs.efa_staged_read_factor = exact_share(parameters.number("efa_staged_read_factor"));
  costs.in_network_share = parameters.number("in_network_reduction_share");
  for (std::size_t g = 0; g < nccl::kGenerations; ++g) {
    const std::string_view generation = topology::kGpuGenerationWords[g];
    costs.nvls_share[g] = parameters.number(fmt::format("{}_nvls_share", generation));
    costs.copy_rate[g] = Ratio(parameters.rate(fmt::format("{}_copy_rate", generation)).count());
    costs.staged_read_rate[g] =
        Ratio(parameters.rate(fmt::format("{}_staged_read_rate", generation)).count());
    costs.own_copy_rate[g] =
        Ratio(parameters.rate(fmt::format("{}_own_copy_rate", generation)).count());
    costs.nvls_channel_rate[g] =
        Ratio(parameters.rate(fmt::format("{}_nvls_channel_rate", generation)).count());
    costs.nvls_tree_share[g] = parameters.number(fmt::format("{}_nvls_tree_share", generation));
    costs.peer_share[g] = parameters.number(fmt::format("{}_peer_share", generation));
    for (std::size_t p = 0; p < nccl::kProtocols; ++p) {
      const auto rate =
          parameters.rate(fmt::format("{}_{}_channel_rate", generation, kProtocolWords[p]));
      costs.channel_rate[g][p] = Ratio(rate.count());
    }
  }
  return costs;
}

void StepCosts::share_time(double share, SimTime wait) {
  const auto slow_down = [&](std::optional<Ratio>& rate) {
    if (rate) *rate *= exact_share(share);
  };
  for (auto& by_protocol : channel_rate) {
    for (auto& rate : by_protocol) slow_down(rate);
  }
  for (auto& rate : copy_rate) slow_down(rate);
  for (auto& rate : staged_read_rate) slow_down(rate);
  for (auto& rate : own_copy_rate) slow_down(rate);
  for (SimTime& each : launch) each += wait;
}

std::set<std::string> foreign_parameters(const std::set<nccl::Generation>& generations,
                                         const std::set<Transport>& transports) {
  std::set<std::string> names;
  for (std::size_t t = 0; t < kTransports; ++t) {
    if (transports.contains(static_cast<Transport>(t))) continue;
    for (std::size_t p = 0; p < nccl::kProtocols; ++p) {
      if (is_by_generation(t, p)) continue;
      names.insert(fmt::format("{}_{}_step_latency", kTransportWords[t], kProtocolWords[p]));
    }
  }
  if (!transports.contains(Transport::kSocket)) {
    names.insert("tcp_channel_rate");
    names.insert("tcp_message_time");
  }
  if (!transports.contains(Transport::kEfa)) names.insert("efa_staged_read_factor");
  for (std::size_t g = 0; g < nccl::kGenerations; ++g) {
    if (generations.contains(static_cast<nccl::Generation>(g))) continue;
    for (const char* what :
         {"launch_latency", "nvlink_ll_step_latency", "bulk_latency", "nvls_latency",
          "nvls_turnaround", "nvls_share", "copy_rate", "staged_read_rate", "own_copy_rate",
          "nvls_channel_rate", "nvls_tree_share", "peer_share"}) {
      names.insert(fmt::format("{}_{}", topology::kGpuGenerationWords[g], what));
    }
    for (const char* protocol : kProtocolWords) {
      names.insert(fmt::format("{}_{}_channel_rate", topology::kGpuGenerationWords[g], protocol));
    }
  }
  return names;
}

Ratio wire_factor(nccl::Protocol protocol) {
  switch (protocol) {
    case nccl::Protocol::kLl:
      return Ratio(2);
    case nccl::Protocol::kLl128:
      return Ratio(16) / 15;
    case nccl::Protocol::kSimple:
      return Ratio(1);
  }
  return Ratio(1);
}

}  // namespace vgsim::collectives
