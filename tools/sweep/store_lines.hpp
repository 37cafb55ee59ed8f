#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/questions/sweep/point.hpp"
#include "tools/sweep/shard.hpp"

namespace vgsim::sweep {

// A store is a file of JSON lines: a header, one line per point in the order of their indices,
// and a footer that marks it complete. The last key of each line, "xxh3", is the checksum of all
// bytes before its comma. The same sweep gives the same bytes on every machine: no times, no
// host names.

/// Identity of a store. Stores whose headers are equal, except for the shard, are parts of one
/// sweep.
struct StoreHeader {
  std::string vgsim;         ///< version of the program
  std::string sweep;         ///< name
  std::string digest;        ///< of the sweep, its scenario and the files that these name
  std::string models;        ///< digest of the configuration folder
  std::uint64_t points = 0;  ///< of the whole sweep
  std::vector<std::string> pointers;
  Shard shard;
};

/// All without a newline.
[[nodiscard]] std::string header_line(const StoreHeader& header);
[[nodiscard]] std::string point_line(std::uint64_t index, const scenario::PointResult& point);
/// `points`: lines of points before it; `digest`: of all bytes before it, the header included.
[[nodiscard]] std::string footer_line(std::uint64_t points, const std::string& digest);

/// Whether the checksum of a line matches its content.
[[nodiscard]] bool is_sealed(std::string_view line);
/// The line without its checksum; it must be sealed.
[[nodiscard]] std::string without_seal(std::string_view line);

/// Whether the line is that of the point.
[[nodiscard]] bool is_point(std::string_view line, std::uint64_t index);
[[nodiscard]] bool is_footer(std::string_view line);

/// Why a store with this first line does not belong to the sweep: the first difference. `line`
/// must be sealed, and differ from header_line(expected).
[[nodiscard]] std::string difference(std::string_view line, const StoreHeader& expected);

}  // namespace vgsim::sweep
