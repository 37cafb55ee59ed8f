#pragma once

#include <optional>
#include <string_view>
#include <tl/expected.hpp>

#include "topology/importers/infragraph/infragraph_model.hpp"

namespace vgsim::topology::infragraph {

/// Reads a document, YAML or JSON. Accepted are an Infrastructure, alone or under "infrastructure"
/// or in an answer of get_graph with its annotations, a list of devices and one device alone; of
/// the schema 2.x, of 0.x with "many2many" instead of schemes and npu instead of xpu, and of its
/// drafts: "type" for "choice", components without counts, edges as "connections" of the form
/// "cpu.0.pcie.pciesw.1", bandwidths in "giga_bytes_per_second" right in the link.
///
/// Texts become printable and at most 255 bytes long. What a name refers to is not looked up. Keys
/// without a meaning here are passed over; of two devices or components of one name, the first
/// counts, with a warning. Errors: those of read_yaml(), and values of another kind than the
/// schema's, counts beyond 1'000'000, connections that cannot be taken apart.
[[nodiscard]] tl::expected<Document, input::Diagnostics> parse(const input::SourcePtr& source);

/// An edge as drafts of the schema write it: "cpu.0.pcie.nic.1" within a device,
/// "host.0.nic.0.link.switch.0.port.0" between instances. Nothing if it is not of that form.
[[nodiscard]] std::optional<Edge> parse_connection(std::string_view text, bool of_instances,
                                                   Place place);

}  // namespace vgsim::topology::infragraph
