#pragma once

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "topology/catalog/catalog.hpp"

/// Compatibility of parts and slots. The host builder rejects incompatible parts, and commands that
/// offer parts use the same functions.
namespace vgsim::topology {

/// The catalogue words for CardSize, smallest first, without kUnknown.
[[nodiscard]] const std::vector<std::string>& card_size_words();

/// Why a GPU does not fit the GPU slots of a server: "its form factor is sxm5, the GPU slots take
/// pcie". Nothing if it fits, or if the catalogue lacks the deciding facts.
[[nodiscard]] std::optional<std::string> incompatibility(const GpuModel& gpu,
                                                         const ServerModel& server);

/// The same for a NIC and a slot.
[[nodiscard]] std::optional<std::string> incompatibility(const NicModel& nic,
                                                         const PcieAttachment& slot);

/// The GPUs that fit a server, those with names most similar to `name` first.
[[nodiscard]] std::vector<std::string> compatible_gpus(const Catalog& catalog,
                                                       const ServerModel& server,
                                                       const std::string& name);

/// Whether GPUs of a model can be connected by NVLink bridges: cards with bridge connectors. The
/// NVLinks of a module are wired on its board.
[[nodiscard]] bool supports_nvlink_bridges(const GpuModel& gpu);

/// The pairs, by index, that bridges can connect among that number of GPUs of a model in a server.
[[nodiscard]] std::vector<std::pair<std::size_t, std::size_t>> possible_bridge_pairs(
    const ServerModel& server, const GpuModel& gpu, std::size_t gpus);

/// The groups of four, by number, that a four-way bridge can join: two pairs that follow each other
/// in the server's list. None where the model has no such bridge.
[[nodiscard]] std::vector<std::array<std::size_t, 4>> four_way_bridges(const ServerModel& server,
                                                                       const GpuModel& gpu,
                                                                       std::size_t gpus);

/// As many of these pairs as there can be at once: a GPU carries one bridge.
[[nodiscard]] std::vector<std::pair<std::size_t, std::size_t>> most_bridges(
    const ServerModel& server, const GpuModel& gpu, std::size_t gpus);

/// A switch of the same kind as `now` with ports of at least `rate`: the slowest, then the one with
/// the most similar name; nullptr if there is none.
[[nodiscard]] const NetworkSwitchModel* switch_with(BytesPerSecond rate,
                                                    const NetworkSwitchModel& now,
                                                    const Catalog& catalog);

/// Rate of the PCIe link of a NIC in a slot, after packet headers. The catalogue must contain the
/// generations of both.
[[nodiscard]] BytesPerSecond rate_in_slot(const NicModel& nic, const PcieAttachment& slot,
                                          const Catalog& catalog);

}  // namespace vgsim::topology
