#pragma once

#include <cstddef>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "topology/input/diagnostics.hpp"
#include "topology/input/source_file.hpp"
#include "topology/machine/inventory.hpp"

namespace vgsim::topology::pci_testing {

using Imported = tl::expected<inventory::Inventory, input::Diagnostics>;

[[nodiscard]] input::SourcePtr source_of(std::string text);
/// A file of the sample folder; its path is that of the file.
[[nodiscard]] input::SourcePtr sample(const std::string& path);

/// Devices of a kind, in order.
[[nodiscard]] std::vector<const inventory::Device*> all_of(const inventory::Inventory& host,
                                                           inventory::DeviceKind kind);
[[nodiscard]] std::size_t count_of(const inventory::Inventory& host, inventory::DeviceKind kind);
/// The device with that bus id. A test fails without one.
[[nodiscard]] const inventory::Device& device_at(const inventory::Inventory& host,
                                                 const std::string& bus_id);
/// NUMA node of a device, "none" for one without an id.
[[nodiscard]] std::string numa_of(const inventory::Inventory& host, const std::string& bus_id);

/// "gen5 x16", "gen4 x8 (assumed)" or "".
[[nodiscard]] std::string words_of(const inventory::Maybe<PcieWidth>& link);
/// "0000:3b:00.0 x6, 0000:5e:00.0 x6"
[[nodiscard]] std::string links_of(const inventory::Device& gpu);

/// "E531 E532", those of the errors or of the warnings.
[[nodiscard]] std::string codes_of(const Imported& imported);
/// Whether one of the sentences has the words.
[[nodiscard]] bool any_has(const std::vector<std::string>& sentences, const std::string& words);

/// Bridges and devices as a tree: "16:00.0(18:00.0 19:00.0) 1b:00.0", without the domain.
[[nodiscard]] std::string shape_of(const std::vector<inventory::Device>& devices);

/// Path classes of all GPUs, in the order of their bus ids, as nvidia-smi prints them row by row:
/// by NUMA nodes, root complexes and bridges. "X" to itself.
[[nodiscard]] std::vector<std::vector<std::string>> gpu_paths(const inventory::Inventory& host);

}  // namespace vgsim::topology::pci_testing
