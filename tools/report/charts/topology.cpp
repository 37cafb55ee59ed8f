#include "tools/report/charts/topology.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace vgsim::report {

std::string host_heading(const scenario::DrawnHost& host) {
  std::string heading = host.name;
  if (host.count > 1) heading += fmt::format(" and {} like it", host.count - 1);
  for (std::size_t m = 0; m < host.machines.size(); ++m) {
    if (m == 4 && host.machines.size() > 5) {
      return heading + fmt::format(", and {} more", host.machines.size() - 4);
    }
    heading += (m == 0 ? ": VM " : ", ") + host.machines[m];
  }
  return heading;
}

bool has_network(const scenario::TopologyPicture& picture) {
  return picture.fabric != "none" && picture.leaves > 0;
}

std::string leaves_heading(const scenario::TopologyPicture& picture) {
  if (picture.leaves == 1) return "switch";
  return fmt::format("{} leaves", picture.leaves);
}

const scenario::DrawnFabricLinks* busiest_uplink(const scenario::TopologyPicture& picture) {
  const auto found =
      std::max_element(picture.fabric_links.begin(), picture.fabric_links.end(),
                       [](const auto& a, const auto& b) { return a.utilization < b.utilization; });
  return found == picture.fabric_links.end() ? nullptr : &*found;
}

}  // namespace vgsim::report
