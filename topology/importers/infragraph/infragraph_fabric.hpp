#pragma once

#include <string>
#include <vector>

#include "topology/importers/infragraph/infragraph_devices.hpp"
#include "topology/importers/infragraph/infragraph_model.hpp"

namespace vgsim::topology::infragraph {

/// What a document tells of the network between hosts, as sentences: the instances that are no
/// hosts, and how many edges there are between which instances, over which links.
[[nodiscard]] std::vector<std::string> describe_fabric(const Document& document,
                                                       const DeviceIndex& devices);

}  // namespace vgsim::topology::infragraph
