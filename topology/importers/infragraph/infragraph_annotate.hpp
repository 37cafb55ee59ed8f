#pragma once

#include "topology/importers/infragraph/infragraph_model.hpp"
#include "topology/inventory/inventory.hpp"

/// What the schema has no place for, as annotations; infragraph_notes.hpp reads them.
namespace vgsim::topology::infragraph {

/// Without values that were assumed, and bus ids that placeholder_bus_id() made up.
[[nodiscard]] Attributes annotations_of(const inventory::Device& device);
[[nodiscard]] Attributes annotations_of(const inventory::NumaNode& node);
[[nodiscard]] Attributes annotations_of(const inventory::Inventory& host);

}  // namespace vgsim::topology::infragraph
