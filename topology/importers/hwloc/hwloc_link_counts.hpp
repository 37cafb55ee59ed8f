#pragma once

#include <cstdint>
#include <string_view>

namespace vgsim::topology {

/// The rate in MB/s that hwloc uses for one NVLink of a GPU. `device_id`: hex digits of its PCI
/// device id; `total`: the sum over all links of the GPU; `version`: that of hwloc, or empty.
///
/// 20 GB/s for generation 1, 25 for 2 to 4, 50 for 5, per direction. hwloc up to 2.9.0 counts both
/// directions of generations 3 and 4, detected by its version or by more links than the chip has.
/// For unknown chips a link has 25 GB/s, or 20 if 25 does not divide the total.
[[nodiscard]] std::int64_t hwloc_nvlink_megabytes(std::string_view device_id, std::int64_t total,
                                                  std::string_view version);

}  // namespace vgsim::topology
