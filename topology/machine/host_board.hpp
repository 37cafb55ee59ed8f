#pragma once

#include <optional>
#include <vector>

#include "topology/graph/open_point.hpp"
#include "topology/machine/host_build.hpp"
#include "topology/machine/host_nvlinks.hpp"
#include "topology/machine/host_tree.hpp"

namespace vgsim::topology::inventory {

/// NVLinks that the board of the GPUs adds to a file.
struct BoardNvLinks {
  std::optional<NvLinkLayout> layout;  ///< if the file has no NVLinks and the board has
  std::vector<OpenPoint> open;         ///< what was taken from the board, or is unknown
};

/// Compares the NVLinks of the file with the catalogue's board for that number of GPUs of that
/// model and such CPUs. The file overrides the board, and differences are reported. If the file
/// states nothing, the board's NVLinks are used. It is an open point if no board exists for GPUs of
/// a kind that is mounted on one, or if the GPUs are cards that bridges can connect.
[[nodiscard]] BoardNvLinks board_nvlinks(const std::vector<const PlannedDevice*>& gpus,
                                         const CpuModel& cpu, const PlannedNvLinks& stated,
                                         HostBuild& build);

}  // namespace vgsim::topology::inventory
