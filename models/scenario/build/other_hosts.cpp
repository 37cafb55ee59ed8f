#include "models/scenario/build/other_hosts.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>

#include "models/scenario/build/relocation.hpp"
#include "models/scenario/read/library.hpp"
#include "models/vsphere/lifecycle.hpp"

namespace vgsim::scenario {
namespace {

using vsphere::Operation;

constexpr Operation kMoves[] = {Operation::kVmotion, Operation::kDrs, Operation::kHa};

/// Those that the VM does not lack by itself.
std::vector<Operation> to_check(const vsphere::VirtualMachine& vm, const Cluster& cluster,
                                const Library& library) {
  std::vector<Operation> result;
  for (const Operation operation : kMoves) {
    if (vm.gpus.empty()) continue;
    if (!vsphere::lacks(vm, operation, library.vsphere->versions, cluster.vsphere)) {
      result.push_back(operation);
    }
  }
  return result;
}

bool is_required(const vsphere::VirtualMachine& vm, Operation operation) {
  const auto& required = vm.settings.required;
  return std::find(required.begin(), required.end(), operation) != required.end();
}

}  // namespace

/// One VM of each kind: the others find the same.
std::vector<vsphere::Finding> lost_for_want_of_hosts(const Layout& layout, const Cluster& cluster,
                                                     const Library& library) {
  if (cluster.hosts.size() < 2) return {};
  vsphere::Findings findings(library.vsphere->rules);
  std::optional<Relocation> relocation;
  std::set<std::size_t> judged;
  for (std::size_t m = 0; m < cluster.machines.size(); ++m) {
    const std::size_t kind = cluster.machines[m].kind;
    if (!judged.insert(kind).second) continue;
    const vsphere::VirtualMachine& vm = cluster.kinds[kind];
    const auto operations = to_check(vm, cluster, library);
    if (operations.empty()) continue;
    if (!relocation) relocation.emplace(layout, cluster, library);
    if (!relocation->targets(m).empty()) continue;
    const std::string why = relocation->why_no_target(m);
    for (const Operation operation : operations) {
      findings.add(fmt::format("{}-{}", is_required(vm, operation) ? "no" : "loses",
                               vsphere::to_string(operation)),
                   vm.name, why, vsphere::OperationAnswer{operation, false, why});
    }
  }
  return findings.all();
}

}  // namespace vgsim::scenario
