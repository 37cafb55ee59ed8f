#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "tools/files/digest.hpp"
#include "tools/sweep/store_lines.hpp"

namespace vgsim::sweep {

/// What a store holds.
struct StoreContent {
  std::uint64_t points = 0;      ///< lines of points, all verified
  std::uint64_t good_bytes = 0;  ///< from the start of the file; all verified
  std::uint64_t torn_bytes = 0;  ///< after them: a line without an end
  bool has_header = false;       ///< else all of the file is torn
  bool complete = false;         ///< its footer is there
};

/// What is called with each line of a point, in order, without its newline.
using LineTaker = std::function<void(std::string_view line)>;

/// Reads the file behind a descriptor from its start and verifies every line: checksum, order, and
/// that the store belongs to `header`. `digest` gets the bytes of header and points. A last line
/// without an end is what a killed process leaves, and no error. Throws StoreError that names the
/// file and the line.
[[nodiscard]] StoreContent read_store(int descriptor, const std::string& file,
                                      const StoreHeader& header, files::Digest& digest,
                                      const LineTaker& take);

/// The same of a file by its name.
[[nodiscard]] StoreContent read_store(const std::string& file, const StoreHeader& header,
                                      const LineTaker& take);

}  // namespace vgsim::sweep
