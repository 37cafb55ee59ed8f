#include "tools/studio/panel/slotted_hosts.hpp"

#include <set>
#include <utility>

#include "models/scenario/read/library.hpp"
#include "tools/studio/responses.hpp"
#include "topology/graph/gpu_count.hpp"
#include "topology/input/typed.hpp"
#include "topology/spec/host_keys.hpp"

namespace vgsim::studio {

using input::Member;
using input::Value;

std::vector<SlottedHost> slotted_hosts(const Value& scenario, const std::string& name,
                                       const scenario::Library& library) {
  static const auto decoder = topology::host_decoder();
  std::vector<SlottedHost> hosts;
  const Member* all = scenario.member("hosts");
  if (all == nullptr || !all->value.is_object()) return hosts;
  std::set<std::string> seen;
  for (const Member& host : all->value.members()) {
    const bool meant = name.empty() || name == host.name;
    if (!meant || !seen.insert(input::to_canonical_string(host.value)).second) continue;
    input::Diagnostics problems;
    auto spec = decoder.read(host.value, problems);
    if (problems.has_errors()) continue;
    if (auto parts = topology::parts_of(spec, *library.catalog)) {
      hosts.push_back({std::move(spec), *std::move(parts)});
    }
  }
  return hosts;
}

const Member* first_machine(const Value& scenario, const char* machines, const std::string& name) {
  const Member* all = scenario.member(machines);
  if (all == nullptr || !all->value.is_object() || all->value.members().empty()) return nullptr;
  return name.empty() ? &all->value.members().front() : all->value.member(name);
}

HostGpus gpus_of(const Value& scenario, const std::string& name,
                 const std::vector<SlottedHost>& hosts) {
  HostGpus gpus;
  if (!hosts.empty()) {
    const topology::HostParts& parts = hosts.front().parts;
    gpus.slots = static_cast<std::int64_t>(parts.server.gpu_slots.size());
    gpus.model = parts.gpu == nullptr ? std::string() : parts.gpu->id;
    gpus.count = static_cast<std::int64_t>(parts.gpus);
    return gpus;
  }
  const Member* host = first_machine(scenario, "hosts", name);
  const auto said =
      host == nullptr ? std::nullopt : topology::parse_gpu_count(member_text(host->value, "gpus"));
  if (said) {
    gpus.model = said->gpu;
    gpus.count = static_cast<std::int64_t>(said->count);
  }
  return gpus;
}

}  // namespace vgsim::studio
