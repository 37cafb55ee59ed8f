#include "tools/machine/machine_memory.hpp"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <sstream>

#include "tools/machine/control_groups.hpp"

namespace vgsim::machine {

/// Respects the limits of containers and batch systems.
std::uint64_t machine_memory() {
  constexpr auto kUnknown = std::numeric_limits<std::uint64_t>::max();
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long size = sysconf(_SC_PAGE_SIZE);
  const std::uint64_t machine = pages <= 0 || size <= 0 ? kUnknown
                                                        : static_cast<std::uint64_t>(pages) *
                                                              static_cast<std::uint64_t>(size);
  std::ostringstream groups;
  groups << std::ifstream("/proc/self/cgroup").rdbuf();
  return std::min(machine, memory_of_groups(groups.str(), "/sys/fs/cgroup").value_or(kUnknown));
}

}  // namespace vgsim::machine
