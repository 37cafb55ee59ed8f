#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "topology/importers/file_notes.hpp"

namespace vgsim::topology {

/// The lines below "GPU 0: NVIDIA H200 (UUID: GPU-5c3d...)" in the output of nvidia-smi -L and
/// nvlink -s, -R and -p, merged over a whole text.
struct SmiGpuLines {
  std::string name;
  std::string uuid;
  std::size_t offset = 0;                     ///< of the first such line
  std::map<std::int64_t, double> speeds;      ///< GB/s by number of the link, of active ones
  std::set<std::int64_t> inactive;            ///< numbers of inactive links
  std::map<std::int64_t, std::string> peers;  ///< bus id by number of the link
  bool all_inactive = false;                  ///< stated in one sentence
  bool without_nvlink = false;                ///< the GPU has no NVLink
  bool mig = false;                           ///< MIG mode is on

  bool has_mig_instances = false;
};

/// By number of the GPU. Errors: kDoNotFit for one number with different names or UUIDs, kTooMuch
/// beyond 4096 GPUs. Warnings: contradictory links.
[[nodiscard]] std::map<std::int64_t, SmiGpuLines> scan_gpu_lines(std::string_view text,
                                                                 FileNotes& notes);

}  // namespace vgsim::topology
