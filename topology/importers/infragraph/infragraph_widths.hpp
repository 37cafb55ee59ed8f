#pragma once

#include <set>
#include <string>
#include <vector>

#include "topology/importers/infragraph/infragraph_words.hpp"
#include "topology/inventory/inventory.hpp"

namespace vgsim::topology::infragraph {

/// PCIe widths of the links on the way to devices, and what has to be said of each link once.
class PcieWidths {
 public:
  explicit PcieWidths(std::string source) : source_(std::move(source)) {}

  /// The slowest of the links, if all are of PCIe and tell generation and width.
  [[nodiscard]] inventory::Maybe<PcieWidth> slowest(const std::vector<const Link*>& links);

  std::vector<std::string> assumed;  ///< sentences
  std::vector<std::string> skipped;

 private:
  void mention(const Link& link, const PcieTold& pcie);

  std::string source_;
  std::set<const Link*> mentioned_;
};

}  // namespace vgsim::topology::infragraph
