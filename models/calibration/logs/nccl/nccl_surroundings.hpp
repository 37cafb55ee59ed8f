#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/calibration/logs/nccl/nccl_messages.hpp"

/// NCCL's messages about the machine, its settings and NCCL itself.
namespace vgsim::calibration::logs {

/// "NET/IB : Using [0]mlx5_0:1/IB/SHARP [1]mlx5_1:1/IB/SHARP ; OOB eth0:10.0.0.1<0>", the same
/// with merged NICs, and "NET/Socket : Using [0]eth0:10.0.0.1<0>". Without hosts.
[[nodiscard]] std::vector<NcclNic> nics_in(std::string_view text);

/// "NCCL_ALGO set by environment to Ring"
[[nodiscard]] std::optional<NcclSetting> setting_in(std::string_view text);

/// "Pattern 4, crossNic 0, nChannels 2, bw 3.0/3.0, type SYS/SYS, sameChannels 1"
[[nodiscard]] std::optional<NcclGraph> graph_in(std::string_view text);

/// "NCCL version 2.19.3+cuda12.3", "RCCL version 2.18.3+hip6.0" or "RCCL version : 2.22.3".
struct VersionPhrase {
  bool is_rccl = false;
  std::string version;
  std::string cuda;  ///< empty if unknown
};
[[nodiscard]] std::optional<VersionPhrase> version_in(std::string_view line);

}  // namespace vgsim::calibration::logs
