#include "topology/importers/infragraph/infragraph_widths.hpp"

#include <fmt/core.h>

#include "topology/graph/pcie_speed.hpp"

namespace vgsim::topology::infragraph {

using inventory::kAssumed;
using inventory::Maybe;
using inventory::Told;

void PcieWidths::mention(const Link& link, const PcieTold& pcie) {
  if (!mentioned_.insert(&link).second) return;
  if (pcie.inferred) {
    assumed.push_back(fmt::format("link \"{}\" has {} lanes, as its {:g} {} follow from them",
                                  link.name, *pcie.lanes, link.bandwidth->value,
                                  unit_text(link.bandwidth->unit)));
  } else if (!pcie.generation || !pcie.lanes) {
    const std::string lacking = pcie.generation ? "width is"
                                : pcie.lanes    ? "generation is"
                                                : "generation and width are";
    skipped.push_back(fmt::format("of link \"{}\", PCIe {} not told", link.name, lacking));
  }
}

Maybe<PcieWidth> PcieWidths::slowest(const std::vector<const Link*>& links) {
  Maybe<PcieWidth> slowest;
  bool all_told = true;
  for (const Link* link : links) {
    const LinkKind kind = kind_of(*link);
    if (kind != LinkKind::kPcie && kind != LinkKind::kOther) return std::nullopt;
    const PcieTold pcie = pcie_of(*link);
    mention(*link, pcie);
    all_told = all_told && pcie.generation && pcie.lanes;
    if (!all_told) continue;
    const PcieWidth width{*pcie.generation, *pcie.lanes};
    if (!slowest || pcie_transfer_rate(width) < pcie_transfer_rate(slowest->value)) {
      slowest = Told<PcieWidth>{width, pcie.inferred ? std::string(kAssumed) : source_};
    }
  }
  return all_told ? slowest : std::nullopt;
}

}  // namespace vgsim::topology::infragraph
