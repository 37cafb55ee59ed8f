#include "tools/studio/slotted_hosts.hpp"

#include <set>
#include <utility>

#include "models/scenario/read/library.hpp"
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

}  // namespace vgsim::studio
