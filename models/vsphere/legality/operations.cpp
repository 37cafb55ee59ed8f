#include <fmt/core.h>

#include <algorithm>

#include "models/vsphere/legality/checks.hpp"
#include "models/vsphere/lifecycle.hpp"
#include "topology/input/units/unit_strings.hpp"

namespace vgsim::vsphere {

namespace {

bool is_required(const VirtualMachine& vm, Operation operation) {
  const auto& required = vm.settings.required;
  return std::find(required.begin(), required.end(), operation) != required.end();
}

/// The operation is not available: the VM loses it, or is refused if it requires it.
void lose(const Case& each, Operation operation, const std::string& reason,
          const std::string& also = {}) {
  const char* how = is_required(each.vm, operation) ? "no" : "loses";
  std::string rule = fmt::format("{}-{}", how, to_string(operation));
  std::replace(rule.begin(), rule.end(), '_', '-');
  each.found(rule, reason + also, OperationAnswer{operation, false, reason});
}

/// The operation is available under a condition.
void restrict(const Case& each, Operation operation, const char* rule, const std::string& condition,
              const std::string& subject) {
  each.found(rule, subject + condition, OperationAnswer{operation, true, condition});
}

std::string in_words(SimTime limit) { return fmt::format("{:g} s", to_seconds(limit)); }

std::string in_words(BytesPerSecond network) {
  return fmt::format("{:g} Gbit/s", static_cast<double>(network.count()) * 8 / 1e9);
}

/// The VM's own limit on the time that vMotion may stop it, else that of the cluster or version.
std::optional<SimTime> stun_limit(const Case& each) {
  if (!each.has("stun-limit")) return std::nullopt;
  if (each.vm.settings.stun_limit) return each.vm.settings.stun_limit;
  if (each.layout.cluster.stun_time_tolerated) return each.layout.cluster.stun_time_tolerated;
  const auto& by_default = each.layout.facts.versions.limits(each.layout.version).stun;
  return by_default ? std::optional(by_default->value) : std::nullopt;
}

bool is_off(const std::optional<std::int64_t>& option) { return option && *option != 1; }

/// The advanced options that DRS needs to move VMs with vGPUs. Where the scenario does not state
/// them they are unset, but assumed set for a VM that requires DRS.
void check_drs_options(const Case& each) {
  const ClusterSettings& cluster = each.layout.cluster;
  if (is_off(cluster.passthrough_drs_automation) || is_off(cluster.lb_max_vmotion_per_host)) {
    lose(each, Operation::kDrs,
         "not enabled: PassthroughDrsAutomation and LBMaxVmotionPerHost of the cluster are not 1");
  } else if (cluster.passthrough_drs_automation && cluster.lb_max_vmotion_per_host) {
    return;
  } else if (!is_required(each.vm, Operation::kDrs)) {
    lose(each, Operation::kDrs, "needs PassthroughDrsAutomation = 1 and LBMaxVmotionPerHost = 1");
  } else {
    restrict(each, Operation::kDrs, "drs-options",
             "if PassthroughDrsAutomation and LBMaxVmotionPerHost of the cluster are 1",
             "DRS moves it ");
  }
}

/// Above the limit DRS does not move the VM; a limit that is set for the VM blocks
/// vMotion too.
void check_stun(const Case& each) {
  const BytesPerSecond network = each.host.settings.vmotion;
  const SimTime most = largest_stun(each.vm, network, each.layout.facts.versions,
                                    each.layout.version, each.layout.parameters);
  restrict(
      each, Operation::kVmotion, "vmotion-stun",
      fmt::format("stops it for up to {} over {}", input::format_time(most), in_words(network)),
      "vMotion ");
  const auto limit = stun_limit(each);
  if (!limit) return;
  if (most <= *limit) return check_drs_options(each);
  if (each.vm.settings.stun_limit) {
    each.found("stun-limit",
               fmt::format("the largest stun of vMotion is estimated as {}, its limit is {}",
                           input::format_time(most), in_words(*limit)));
    return;
  }
  lose(each, Operation::kDrs, fmt::format("above its stun limit of {}", in_words(*limit)),
       fmt::format(": vMotion may stop it for {} over {}", input::format_time(most),
                   in_words(network)));
}

/// Behaviour of maintenance mode for VMs with vGPUs that vMotion can move.
void check_evacuation(const Case& each) {
  const auto& timeout = each.layout.cluster.vgpu_evacuation_timeout;
  if (is_older(each.layout.version, "7.0U3")) {
    each.found("evacuation-by-hand", "maintenance mode does not move it: vMotion by hand first");
  } else if (timeout && *timeout != -1) {
    each.found("evacuation-by-hand", "VgpuMMAutomationTimeoutSecs of the cluster is not -1");
  } else if (!timeout) {
    each.found(
        "evacuation-option",
        fmt::format("maintenance mode moves it if VgpuMMAutomationTimeoutSecs is -1{}",
                    each.layout.version == "7.0U3" ? " and vCenter is 7.0U3f or later" : ""));
  }
}

void check_time_out(const Case& each) {
  if (each.layout.version != "6.7U1" && each.layout.version != "6.7U2") return;
  const VirtualMachine& vm = each.vm;
  const SimTime stun = expected_stun(vm, each.host.settings.vmotion, each.layout.facts.versions,
                                     each.layout.version, each.layout.parameters);
  const bool large = std::any_of(vm.profiles.begin(), vm.profiles.end(), [](const Profile* p) {
    return p != nullptr && p->framebuffer >= Bytes{24'000'000'000};
  });
  if (large || stun > each.layout.parameters.time("vmotion_time_out_6_7")) {
    each.found("vmotion-may-time-out",
               fmt::format("the expected stun of vMotion is {}", input::format_time(stun)));
  }
}

}  // namespace

void check_operations(const Case& each) {
  const Versions& versions = each.layout.facts.versions;
  const auto reason = [&](Operation operation) -> std::optional<std::string> {
    const bool moves = operation == Operation::kVmotion || operation == Operation::kDrs;
    auto why = lacks(each.vm, operation, versions, each.layout.version);
    if (why || !moves || !each.has_vgpus() || each.layout.cluster.hot_migrate.value_or(true)) {
      return why;
    }
    return "vgpu.hotmigrate.enabled of vCenter is off";
  };
  const bool is_placed = is_placed_by_drs(each.vm, versions, each.layout.version);
  for (const Operation operation : kOperations) {
    const char* also =
        operation == Operation::kDrs && is_placed ? ": DRS places it at power-on only" : "";
    if (const auto why = reason(operation)) lose(each, operation, *why, also);
  }
  if (is_required(each.vm, Operation::kFaultTolerance)) {
    if (const auto why = reason(Operation::kFaultTolerance)) {
      lose(each, Operation::kFaultTolerance, *why);
    }
  }
  if (!each.has_vgpus() || reason(Operation::kVmotion)) return;
  check_stun(each);
  check_evacuation(each);
  check_time_out(each);
}

}  // namespace vgsim::vsphere
