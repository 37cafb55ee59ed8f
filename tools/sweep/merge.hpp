#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/sweep/store_lines.hpp"

namespace vgsim::sweep {

/// An incomplete shard.
struct MissingShard {
  Shard shard;
  std::uint64_t points = 0;  ///< in its file, of size()
};

struct Merged {
  std::string file;                   ///< the store of the whole sweep
  std::uint64_t shards = 0;           ///< merged into it; 0 if it existed already
  std::vector<MissingShard> missing;  ///< if not empty, nothing was written
};

/// Merges all shards of a folder into one store, byte for byte that of an unsharded sweep,
/// written completely or not at all. `header` is that of the whole sweep. Throws StoreError if
/// shards are damaged, locked by a writer, of another sweep or other models, or of two
/// divisions (3 of 8 and 2 of 4), if there are none, or if the result cannot be written.
[[nodiscard]] Merged merge_shards(const std::string& folder, const StoreHeader& header);

}  // namespace vgsim::sweep
