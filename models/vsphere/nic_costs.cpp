#include "models/vsphere/nic_costs.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>

#include "models/vsphere/cpu_budget.hpp"
#include "models/vsphere/numa_placement.hpp"

namespace vgsim::vsphere {
namespace {

using topology::HostNic;
using topology::Topology;

constexpr double kBytesPerGbit = 1e9 / 8;

/// Converts cores per Gbit/s to picoseconds of a core per byte.
std::int64_t per_byte(double cores_per_gbit_per_second) {
  return std::llround(cores_per_gbit_per_second / kBytesPerGbit *
                      static_cast<double>(kCorePicosecondsPerSecond));
}

}  // namespace

/// One NIC of a VM while its costs are found.
class NicPricing {
 public:
  NicPricing(Topology& topology, const calibration::Parameters& parameters,
             const VirtualMachine& vm, bool offloads, VmNic& nic, std::set<std::string>& used)
      : nic(nic),
        parameters(parameters),
        offloads(offloads),
        topology_(topology),
        vm_(vm),
        used_(used) {}

  VmNic& nic;
  const calibration::Parameters& parameters;
  const bool offloads;  ///< a DPU does the work of the hypervisor's switch

  [[nodiscard]] const HostNic& card() const { return topology_.hosts[vm_.host].nics[nic.host_nic]; }
  /// A parameter, reported among the assumptions.
  const std::string& used(const std::string& name) { return *used_.insert(name).first; }
  const std::string& used_of_mode(const char* which) {
    return used(nic.mode->parameters + std::string(which));
  }

  /// More work for each byte if the NIC, and with it its interrupts, is on a node without the VM.
  [[nodiscard]] double remote_factor() {
    const std::vector<std::size_t>& nodes = vm_.numa.nodes;
    if (nodes.empty()) return 1.0;
    const std::size_t node = node_of_device(topology_, topology_.hosts[vm_.host], card().vertex);
    if (std::find(nodes.begin(), nodes.end(), node) != nodes.end()) return 1.0;
    return parameters.number(used("remote_memory_work_factor"));
  }

  /// Costs of files that the guest reads over TCP.
  [[nodiscard]] NicCosts of_storage() {
    NicCosts costs;
    costs.guest_ps_per_byte =
        per_byte(parameters.number(used("tcp_cores_per_gbit")) * remote_factor());
    costs.host_ps_per_byte = nic.costs.host_ps_per_byte;
    costs.in = nic.costs.in;
    return costs;
  }

  /// The limit of the function or adapter, in each direction.
  void add_function(BytesPerSecond line_rate, double payload_share, const std::string& source) {
    const auto add = [&](const char* direction) {
      return topology_.add_resource(
          {fmt::format("{}/{} {} ({})", vm_.name, card().name, direction, nic.mode->title),
           topology::LinkKind::kNicFunction, line_rate, payload_share, source, 1, vm_.host});
    };
    nic.costs.out = add("out");
    nic.costs.in = add("in");
  }

 private:
  Topology& topology_;
  const VirtualMachine& vm_;
  std::set<std::string>& used_;
};

namespace {

void price_tcp(NicPricing& pricing) {
  const NicMode& mode = *pricing.nic.mode;
  const TcpLimits limits = tcp_limits(mode, pricing.parameters);
  pricing.used("tcp_cores_per_gbit");
  if (pricing.nic.is_adapter()) {
    pricing.used_of_mode("_connection_rate");
  } else {
    pricing.used("tcp_connection_rate");
  }
  pricing.nic.costs.guest_ps_per_byte = per_byte(limits.cores_per_gbit * pricing.remote_factor());
  pricing.nic.costs.connection_rate = limits.connection;
  if (!limits.adapter) return;
  pricing.add_function(*limits.adapter, 1.0,
                       pricing.parameters.describe(pricing.used_of_mode("_adapter_rate")));
}

void price_adapter(NicPricing& pricing) {
  const calibration::Parameters& parameters = pricing.parameters;
  NicCosts& costs = pricing.nic.costs;
  if (!pricing.offloads) {
    const std::string& cores = pricing.used("virtual_switch_cores_per_gbit");
    costs.host_ps_per_byte = per_byte(parameters.number(cores));
  }
  costs.latency = parameters.time(pricing.used_of_mode("_latency"));
  costs.reported_rate = parameters.rate(pricing.used_of_mode("_reported_rate"));
}

void price_function(NicPricing& pricing) {
  const calibration::Parameters& parameters = pricing.parameters;
  pricing.nic.costs.latency = parameters.time(pricing.used_of_mode("_latency"));
  const std::string& name = pricing.used_of_mode("_share");
  const double share = parameters.number(name);
  if (share == 1.0) return;
  const HostNic& card = pricing.card();
  pricing.add_function(card.port_rate, card.payload_share * share, parameters.describe(name));
}

void price(NicPricing& pricing) {
  const NicCarrier& carrier = *pricing.nic.mode->carrier;
  if (carrier.is_emulated || pricing.card().net == topology::NetKind::kSocket) price_tcp(pricing);
  if (carrier.price != nullptr) carrier.price(pricing);
}

}  // namespace

const NicCarrier kPortCarrier{};
const NicCarrier kFunctionCarrier{.parameters = {"_share", "_latency"}, .price = &price_function};
const NicCarrier kAdapterCarrier{
    .is_emulated = true,
    .parameters = {"_latency", "_connection_rate", "_adapter_rate", "_reported_rate"},
    .price = &price_adapter};

TcpLimits tcp_limits(const NicMode& mode, const calibration::Parameters& parameters) {
  const double cores = parameters.number("tcp_cores_per_gbit");
  const bool emulated = mode.carrier->is_emulated;
  const std::string own = emulated ? mode.parameters : "tcp";
  TcpLimits limits{parameters.rate(own + "_connection_rate"), std::nullopt, cores};
  if (emulated) limits.adapter = parameters.rate(own + "_adapter_rate");
  return limits;
}

BytesPerSecond tcp_rate(const TcpLimits& limits, int connections,
                        std::optional<BytesPerSecond> port, std::optional<std::int64_t> vcpus) {
  BytesPerSecond rate{limits.connection.count() * connections};
  if (limits.adapter) rate = std::min(rate, *limits.adapter);
  if (port) rate = std::min(rate, *port);
  if (vcpus && limits.cores_per_gbit > 0.0) {
    const double most = static_cast<double>(*vcpus) / limits.cores_per_gbit * kBytesPerGbit;
    rate = std::min(rate, BytesPerSecond{static_cast<std::int64_t>(most)});
  }
  return rate;
}

std::vector<std::vector<std::string>> add_nic_costs(Topology& topology,
                                                    const std::vector<HostInventory>& hosts,
                                                    std::vector<VirtualMachine>& vms,
                                                    const calibration::Parameters& parameters) {
  std::vector<std::vector<std::string>> assumptions;
  for (VirtualMachine& vm : vms) {
    std::set<std::string> used;
    const auto& storage_nic = topology.hosts[vm.host].storage_nic;
    bool mounts = false;  // over a NIC that it has
    for (VmNic& nic : vm.nics) {
      NicPricing pricing(topology, parameters, vm, hosts[vm.host].settings.dpu_offload, nic, used);
      price(pricing);
      if (storage_nic != nic.host_nic) continue;
      vm.storage = pricing.of_storage();
      mounts = true;
    }
    if (storage_nic && !mounts) {
      used.insert("datastore_cores_per_gbit");
      vm.storage.host_ps_per_byte = per_byte(parameters.number("datastore_cores_per_gbit"));
    }
    std::vector<std::string>& lines = assumptions.emplace_back();
    for (const std::string& name : used) {
      lines.push_back(fmt::format("{} {}", name, parameters.describe(name)));
    }
  }
  return assumptions;
}

}  // namespace vgsim::vsphere
