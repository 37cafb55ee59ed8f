#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/sweep/store_lines.hpp"

namespace vgsim::sweep {

/// A shard whose points are not all there.
struct MissingShard {
  Shard shard;
  std::uint64_t points = 0;  ///< that it holds, of size()
};

struct Merged {
  std::string file;                   ///< the whole sweep's store
  std::uint64_t shards = 0;           ///< that it was made of; 0 where it was there already
  std::vector<MissingShard> missing;  ///< if there are any, nothing was written
};

/// Makes one store of all shards of a folder, the same byte for byte as if one machine had run the
/// sweep: whole or not at all. `header` is that of the whole sweep. Throws StoreError where shards
/// are damaged, being written, of another sweep or other models, or of two divisions (3 of 8 and
/// 2 of 4), where there are none, and where the result cannot be written.
[[nodiscard]] Merged merge_shards(const std::string& folder, const StoreHeader& header);

}  // namespace vgsim::sweep
