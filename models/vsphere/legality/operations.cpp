#include <fmt/core.h>

#include <algorithm>

#include "models/vsphere/legality/checks.hpp"
#include "models/vsphere/lifecycle.hpp"
#include "topology/input/units/unit_strings.hpp"

namespace vgsim::vsphere {

void check_operations(const Case& each) {
  const VirtualMachine& vm = each.vm;
  const Versions& versions = each.layout.facts.versions;
  for (const Operation operation : kOperations) {
    const auto reason = lacks(vm, operation, versions, each.layout.version);
    if (!reason) continue;
    const auto& required = vm.settings.required;
    const bool asked = std::find(required.begin(), required.end(), operation) != required.end();
    each.found(fmt::format("{}-{}", asked ? "no" : "loses", to_string(operation)), *reason);
  }
  if (!each.has_vgpus() || lacks(vm, Operation::kVmotion, versions, each.layout.version)) return;
  const BytesPerSecond network = each.host.settings.vmotion;
  const calibration::Parameters& parameters = each.layout.parameters;
  if (vm.settings.stun_limit && each.has("stun-limit")) {
    const SimTime limit = *vm.settings.stun_limit;
    const SimTime most = largest_stun(vm, network, versions, each.layout.version, parameters);
    if (most > limit) {
      each.found("stun-limit",
                 fmt::format("vMotion is estimated to stop it for {} at most, and its limit is {}",
                             input::format_time(most), input::format_time(limit)));
    }
  }
  const bool old = each.layout.version == "6.7U1" || each.layout.version == "6.7U2";
  if (!old) return;
  const SimTime stun = expected_stun(vm, network, versions, each.layout.version, parameters);
  const bool large = std::any_of(vm.profiles.begin(), vm.profiles.end(), [](const Profile* p) {
    return p != nullptr && p->framebuffer >= Bytes{24'000'000'000};
  });
  if (large || stun > parameters.time("vmotion_time_out_6_7")) {
    each.found("vmotion-may-time-out",
               fmt::format("vMotion is expected to stop it for {}", input::format_time(stun)));
  }
}

}  // namespace vgsim::vsphere
