#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/questions/sweep/point.hpp"
#include "tools/sweep/shard.hpp"

namespace vgsim::sweep {

// A store is a file of JSON lines: a header, one line per point in the order of their indices, and
// a footer that says that it is complete. The last key of each line, "xxh3", is the checksum of all
// bytes before its comma. The same sweep gives the same bytes, whoever runs it: no times, no names
// of machines.

/// What a store belongs to. Stores of equal headers, but for the shard, are parts of one sweep.
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
/// `points` lines and the header lie before it; `digest` is that of all their bytes.
[[nodiscard]] std::string footer_line(std::uint64_t points, const std::string& digest);

/// Whether the checksum of a line is that of its content.
[[nodiscard]] bool is_sealed(std::string_view line);
/// The line without its checksum; it must be sealed.
[[nodiscard]] std::string without_seal(std::string_view line);

/// Whether the line is that of the point.
[[nodiscard]] bool is_point(std::string_view line, std::uint64_t index);
[[nodiscard]] bool is_footer(std::string_view line);

/// Why a store with this first line is no part of the sweep: the first thing that differs. `line`
/// must be sealed, and differ from header_line(expected).
[[nodiscard]] std::string difference(std::string_view line, const StoreHeader& expected);

}  // namespace vgsim::sweep
