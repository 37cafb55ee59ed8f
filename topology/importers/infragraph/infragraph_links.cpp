#include "topology/importers/infragraph/infragraph_links.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "topology/graph/pcie_speed.hpp"

namespace vgsim::topology::infragraph {

std::string LinkTable::add(Link made) {
  std::string name = made.name;
  for (int i = 2;; ++i) {
    const auto known =
        std::ranges::find_if(links, [&](const Link& other) { return other.name == name; });
    if (known == links.end()) break;
    if (known->description == made.description) return name;
    name = fmt::format("{}_{}", made.name, i);
  }
  made.name = name;
  links.push_back(std::move(made));
  return name;
}

std::string LinkTable::pcie(const inventory::Maybe<PcieWidth>& width) {
  if (!width) return add({"pcie", "PCIe", std::nullopt});
  const auto [generation, lanes] = width->value;
  Link made{fmt::format("pcie_gen{}_x{}", generation, lanes),
            fmt::format("PCIe Gen{} x{}", generation, lanes), std::nullopt};
  if (const auto gigabytes = pcie_gigabytes_per_second(width->value)) {
    made.bandwidth = Bandwidth{std::round(*gigabytes * 1000.0) / 1000.0, BandwidthUnit::kGigabytes};
  }
  return add(std::move(made));
}

std::string LinkTable::gpu(const LinkBundle& bundle) {
  const auto& [xgmi, count, each] = bundle;
  Link made{fmt::format("{}_x{}", xgmi ? "xgmi" : "nvlink", count),
            fmt::format("{} {}", count,
                        xgmi         ? "xGMI links"
                        : count == 1 ? "NVLink"
                                     : "NVLinks"),
            std::nullopt};
  if (each > 0) {
    made.description += fmt::format(", {} GB/s each in one direction", each);
    made.bandwidth = Bandwidth{each * static_cast<double>(count), BandwidthUnit::kGigabytes};
  }
  return add(std::move(made));
}

}  // namespace vgsim::topology::infragraph
