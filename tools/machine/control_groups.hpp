#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace vgsim::machine {

/// The least memory that control groups leave, in bytes: those in `groups`, the text of
/// /proc/self/cgroup, and all above them, in the tree below `root`, which is /sys/fs/cgroup. In a
/// container that tree may begin at the container's own group. Nothing where none has a limit.
/// Versions 1 and 2, see cgroups(7).
[[nodiscard]] std::optional<std::uint64_t> memory_of_groups(const std::string& groups,
                                                            const std::string& root);

}  // namespace vgsim::machine
