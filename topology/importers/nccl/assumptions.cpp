#include "topology/importers/nccl/assumptions.hpp"

#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace vgsim::topology {

void Assumptions::add(const std::string& bus_id, std::string what) {
  auto known = std::find_if(list_.begin(), list_.end(),
                            [&](const Assumption& entry) { return entry.what == what; });
  if (known == list_.end()) known = list_.insert(list_.end(), {std::move(what), {}, {}});
  if (!bus_id.empty() && known->listed.insert(bus_id).second) known->bus_ids.push_back(bus_id);
}

void Assumptions::tell(DeviceBuilder& devices) const {
  for (const auto& [what, bus_ids, listed] : list_) {
    devices.assume(bus_ids.empty() ? what : fmt::format("{}: {}", what, fmt::join(bus_ids, ", ")));
  }
}

}  // namespace vgsim::topology
