#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "topology/catalog/catalog.hpp"

/// Whether a part goes into a place. The host builder refuses what does not, and whoever offers
/// another part asks here first.
namespace vgsim::topology {

/// The catalogue's words for CardSize, smallest first, without kUnknown.
[[nodiscard]] const std::vector<std::string>& card_size_words();

/// Why a GPU does not go into the GPU slots of a server, in words: "its form factor is sxm5, the
/// GPU slots take pcie". Nothing where it does, or where the catalogue does not know what would
/// decide.
[[nodiscard]] std::optional<std::string> why_unfit(const GpuModel& gpu, const ServerModel& server);

/// The same of a NIC and a slot.
[[nodiscard]] std::optional<std::string> why_unfit(const NicModel& nic, const PcieAttachment& slot);

/// The GPUs that go into a server, those named most like `name` first.
[[nodiscard]] std::vector<std::string> gpus_that_fit(const Catalog& catalog,
                                                     const ServerModel& server,
                                                     const std::string& name);

/// Whether NVLink bridges join GPUs of a model: a card with connectors for them. The NVLinks of a
/// module end in its board.
[[nodiscard]] bool takes_bridges(const GpuModel& gpu);

/// The pairs, by number, that bridges can join of so many GPUs of a model in a server.
[[nodiscard]] std::vector<std::pair<std::size_t, std::size_t>> bridge_pairs(
    const ServerModel& server, const GpuModel& gpu, std::size_t gpus);

/// As many of these pairs as there can be at once: a GPU carries one bridge.
[[nodiscard]] std::vector<std::pair<std::size_t, std::size_t>> most_bridges(
    const ServerModel& server, const GpuModel& gpu, std::size_t gpus);

/// The slowest switches with ports of a rate that are of the same kind as those of now, of equally
/// slow ones those named most like them; nullptr where there are none.
[[nodiscard]] const NetworkSwitchModel* switch_with(BytesPerSecond rate,
                                                    const NetworkSwitchModel& now,
                                                    const Catalog& catalog);

/// What the PCIe link of a NIC in a slot carries, packet headers taken off. The catalogue must have
/// the generations of both.
[[nodiscard]] BytesPerSecond rate_in_slot(const NicModel& nic, const PcieAttachment& slot,
                                          const Catalog& catalog);

}  // namespace vgsim::topology
