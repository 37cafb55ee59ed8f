#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace vgsim::machine {

/// The lowest memory limit of control groups, in bytes: of those in `groups`, the text of
/// /proc/self/cgroup, and of all their parents in the tree below `root` (/sys/fs/cgroup). In a
/// container that tree may begin at the container's own group. Nothing if none has a limit.
/// Versions 1 and 2, see cgroups(7).
[[nodiscard]] std::optional<std::uint64_t> memory_of_groups(const std::string& groups,
                                                            const std::string& root);

}  // namespace vgsim::machine
