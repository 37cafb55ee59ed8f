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
    if (nic.is_adapter() || card.net == topology::NetKind::kSocket) price_tcp(vm, card, nic);
    switch (nic.facts().carrier) {
      case NicCarrier::kPort:
        return;
      case NicCarrier::kFunction:
        return price_function(vm, card, nic);
      case NicCarrier::kAdapter:
        return price_adapter(offloads, nic);
    }
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

  void price_tcp(const VirtualMachine& vm, const HostNic& card, VmNic& nic) {
    const TcpLimits limits = tcp_limits(nic.mode, parameters_);
    used("tcp_cores_per_gbit");
    used(nic.is_adapter() ? parameter(nic, "_connection_rate") : "tcp_connection_rate");
    nic.costs.guest_ps_per_byte = per_byte(limits.cores_per_gbit);
    nic.costs.connection_rate = limits.connection;
    if (!limits.adapter) return;
    const std::string source = parameters_.describe(used(parameter(nic, "_adapter_rate")));
    add_function(vm, card, {*limits.adapter, 1.0, source}, nic);
  }

  void price_adapter(bool offloads, VmNic& nic) {
    if (!offloads) {
      nic.costs.host_ps_per_byte =
          per_byte(parameters_.number(used("virtual_switch_cores_per_gbit")));
    }
    nic.costs.latency = parameters_.time(used(parameter(nic, "_latency")));
    nic.costs.reported_rate = parameters_.rate(used(parameter(nic, "_reported_rate")));
  }

  static std::string parameter(const VmNic& nic, const char* which) {
    return std::string(nic.facts().parameters) + which;
  }

  void price_function(const VirtualMachine& vm, const HostNic& card, VmNic& nic) {
    nic.costs.latency = parameters_.time(used(parameter(nic, "_latency")));
    const std::string share = used(parameter(nic, "_share"));
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
          {fmt::format("{}/{} {} ({})", vm.name, card.name, direction, nic.facts().title),
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
  const NicModeFacts& facts = facts_of(mode);
  const bool emulated = facts.carrier == NicCarrier::kAdapter;
  const std::string own = emulated ? facts.parameters : "tcp";
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
    Pricer pricer(topology, parameters);
    for (VmNic& nic : vm.nics) pricer.price(vm, hosts[vm.host].settings.dpu_offload, nic);
    assumptions.push_back(pricer.assumptions());
  }
  return assumptions;
}

}  // namespace vgsim::vsphere
