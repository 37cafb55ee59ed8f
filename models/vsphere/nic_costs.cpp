#include "models/vsphere/nic_costs.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>

#include "models/vsphere/cpu_budget.hpp"

namespace vgsim::vsphere {
namespace {

using topology::HostNic;
using topology::Topology;

const char* word(NicMode mode) {
  switch (mode) {
    case NicMode::kSriov:
      return "SR-IOV";
    case NicMode::kEnhancedDirectPath:
      return "Enhanced DirectPath";
    case NicMode::kPvrdma:
      return "PVRDMA";
    case NicMode::kVmxnet3:
      return "vmxnet3";
    case NicMode::kBareMetal:
    case NicMode::kPassthrough:
      break;
  }
  return "";
}

constexpr double kBytesPerGbit = 1e9 / 8;

/// Picoseconds of a core for a byte, of so many cores for a Gbit/s.
std::int64_t per_byte(double cores_per_gbit_per_second) {
  return std::llround(cores_per_gbit_per_second / kBytesPerGbit *
                      static_cast<double>(kCorePicosecondsPerSecond));
}

class Pricer {
 public:
  Pricer(Topology& topology, const calibration::Parameters& parameters)
      : topology_(topology), parameters_(parameters) {}

  void price(const VirtualMachine& vm, bool offloads, VmNic& nic) {
    const HostNic& card = topology_.hosts[vm.host].nics[nic.host_nic];
    const bool emulated = nic.mode == NicMode::kVmxnet3;
    if (emulated || card.net == topology::NetKind::kSocket) {
      const TcpLimits limits = tcp_limits(nic.mode, parameters_);
      used("tcp_cores_per_gbit");
      used(emulated ? "vmxnet3_connection_rate" : "tcp_connection_rate");
      nic.costs.guest_ps_per_byte = per_byte(limits.cores_per_gbit);
      nic.costs.connection_rate = limits.connection;
      if (limits.adapter) {
        const std::string source = parameters_.describe(used("vmxnet3_adapter_rate"));
        add_function(vm, card, {*limits.adapter, 1.0, source}, nic);
      }
    }
    if (emulated && !offloads) {
      nic.costs.host_ps_per_byte =
          per_byte(parameters_.number(used("virtual_switch_cores_per_gbit")));
    }
    if (emulated) {
      nic.costs.latency = parameters_.time(used("vmxnet3_latency"));
      nic.costs.reported_rate = parameters_.rate(used("vmxnet3_reported_rate"));
    }
    if (nic.mode == NicMode::kPvrdma) limit(vm, card, "pvrdma", nic);
    if (nic.mode == NicMode::kSriov) limit(vm, card, "sriov", nic);
    if (nic.mode == NicMode::kEnhancedDirectPath) limit(vm, card, "enhanced_directpath", nic);
  }

  /// What was used, in the order of names.
  [[nodiscard]] std::vector<std::string> assumptions() const {
    std::vector<std::string> lines;
    for (const std::string& name : used_) {
      lines.push_back(fmt::format("{} {}", name, parameters_.describe(name)));
    }
    return lines;
  }

 private:
  const std::string& used(const std::string& name) { return *used_.insert(name).first; }

  void limit(const VirtualMachine& vm, const HostNic& card, const std::string& kind, VmNic& nic) {
    nic.costs.latency = parameters_.time(used(kind + "_latency"));
    const std::string share = used(kind + "_share");
    if (parameters_.number(share) == 1.0) return;
    add_function(vm, card,
                 {card.port_rate, card.payload_share * parameters_.number(share),
                  parameters_.describe(share)},
                 nic);
  }

  struct Rated {
    BytesPerSecond line_rate{};
    double payload_share = 1.0;
    std::string source;
  };

  void add_function(const VirtualMachine& vm, const HostNic& card, const Rated& rated, VmNic& nic) {
    const auto add = [&](const char* direction) {
      return topology_.add_resource(
          {fmt::format("{}/{} {} ({})", vm.name, card.name, direction, word(nic.mode)),
           topology::LinkKind::kNicFunction, rated.line_rate, rated.payload_share, rated.source, 1,
           vm.host});
    };
    nic.costs.out = add("out");
    nic.costs.in = add("in");
  }

  Topology& topology_;
  const calibration::Parameters& parameters_;
  std::set<std::string> used_;
};

}  // namespace

TcpLimits tcp_limits(NicMode mode, const calibration::Parameters& parameters) {
  const double cores = parameters.number("tcp_cores_per_gbit");
  if (mode == NicMode::kVmxnet3) {
    return {parameters.rate("vmxnet3_connection_rate"), parameters.rate("vmxnet3_adapter_rate"),
            cores};
  }
  return {parameters.rate("tcp_connection_rate"), std::nullopt, cores};
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
    Pricer pricer(topology, parameters);
    for (VmNic& nic : vm.nics) pricer.price(vm, hosts[vm.host].settings.dpu_offload, nic);
    assumptions.push_back(pricer.assumptions());
  }
  return assumptions;
}

}  // namespace vgsim::vsphere
