#pragma once

#include <cstdint>
#include <string_view>

namespace vgsim::topology {

/// How many MB/s hwloc takes one NVLink of a GPU for. `device_id` are the hex digits of its PCI
/// device id, `total` is the sum over all links of the GPU, `version` is hwloc's, where it is told.
///
/// 20 GB/s for generation 1, 25 for 2 to 4, 50 for 5, per direction. hwloc up to 2.9.0 counts both
/// directions of generations 3 and 4, which shows in its version, or in more links than the chip
/// has. Of unknown chips a link has 25 GB/s, or 20 if that does not fit.
[[nodiscard]] std::int64_t hwloc_nvlink_megabytes(std::string_view device_id, std::int64_t total,
                                                  std::string_view version);

}  // namespace vgsim::topology
