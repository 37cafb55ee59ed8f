#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "topology/importers/infragraph/infragraph_model.hpp"
#include "topology/inventory/inventory.hpp"

namespace vgsim::topology::infragraph {

/// NVLinks between two ends, as one edge tells them.
struct LinkBundle {
  bool xgmi = false;
  std::int64_t count = 0;
  double gigabytes_each = 0.0;  ///< per second and direction; 0: not told

  friend auto operator<=>(const LinkBundle&, const LinkBundle&) = default;
};

/// The links of a device that is being written, each kind once, so that infragraph_words.hpp
/// understands them.
class LinkTable {
 public:
  /// The name of the link, which is added where it is new; another name than wanted if that is
  /// taken by a link of another description.
  [[nodiscard]] std::string add(Link link);
  [[nodiscard]] std::string pcie(const inventory::Maybe<PcieWidth>& width);
  [[nodiscard]] std::string gpu(const LinkBundle& bundle);

  std::vector<Link> links;
};

}  // namespace vgsim::topology::infragraph
