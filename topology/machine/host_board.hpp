#pragma once

#include <optional>
#include <vector>

#include "topology/graph/open_point.hpp"
#include "topology/machine/host_build.hpp"
#include "topology/machine/host_nvlinks.hpp"
#include "topology/machine/host_tree.hpp"

namespace vgsim::topology::inventory {

/// What the board that GPUs of their model stand on adds to a file.
struct BoardNvLinks {
  std::optional<NvLinkLayout> layout;  ///< where the file does not tell NVLinks and the board has
  std::vector<OpenPoint> open;         ///< what was taken from the board, or is not known
};

/// Compares what the file says of NVLinks with the board of the catalogue that has so many GPUs of
/// that model beside such CPUs. What the file tells goes before the board, and it is said where
/// they disagree; where it tells nothing, the board's NVLinks are taken; where there is no such
/// board though the GPUs are of a kind that stands on one, or where they are cards that bridges
/// could join, that is open.
[[nodiscard]] BoardNvLinks board_nvlinks(const std::vector<const PlannedDevice*>& gpus,
                                         const CpuModel& cpu, const PlannedNvLinks& told,
                                         HostBuild& build);

}  // namespace vgsim::topology::inventory
