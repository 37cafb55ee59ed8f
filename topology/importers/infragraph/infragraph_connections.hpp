#pragma once

#include <optional>
#include <string_view>

#include "topology/importers/infragraph/infragraph_model.hpp"

namespace vgsim::topology::infragraph {

/// An edge as drafts of the schema write it: "cpu.0.pcie.nic.1" within a device,
/// "host.0.nic.0.link.switch.0.port.0" between instances. Nothing if it is not of that form.
[[nodiscard]] std::optional<Edge> parse_connection(std::string_view text, bool of_instances,
                                                   Place place);

}  // namespace vgsim::topology::infragraph
