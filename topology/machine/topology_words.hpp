#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "topology/machine/inventory.hpp"

/// Representation of values in topology files.
namespace vgsim::topology::inventory {

/// "pcie-switch", "gpu", "nic", "nvswitch", "storage", "other".
[[nodiscard]] const char* to_word(DeviceKind kind);
[[nodiscard]] std::vector<std::string> device_kind_words();
/// Name prefix of numbered devices of the kind: "switch", "device".
[[nodiscard]] const char* name_word(DeviceKind kind);
/// "060400"; empty where there is none.
[[nodiscard]] const char* usual_pci_class(DeviceKind kind);
/// `word` must be one of them.
[[nodiscard]] DeviceKind device_kind_of(std::string_view word);

/// "Gen4 x16".
[[nodiscard]] std::string to_text(PcieWidth width);
/// Nothing for other texts; generation 1 to 7, 1 to 32 lanes.
[[nodiscard]] std::optional<PcieWidth> parse_pcie_width(std::string_view text);

/// "net0" or "gpu3".
[[nodiscard]] std::string to_text(const ChosenGraph::Step& step);
[[nodiscard]] std::optional<ChosenGraph::Step> parse_step(std::string_view text);

}  // namespace vgsim::topology::inventory
