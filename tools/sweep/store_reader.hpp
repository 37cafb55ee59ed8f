#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "tools/files/digest.hpp"
#include "tools/sweep/store_lines.hpp"

namespace vgsim::sweep {

/// Content of a store.
struct StoreContent {
  std::uint64_t points = 0;      ///< lines of points, all verified
  std::uint64_t good_bytes = 0;  ///< from the start of the file; all verified
  std::uint64_t torn_bytes = 0;  ///< after them: an incomplete line
  bool has_header = false;       ///< otherwise the whole file is one incomplete line
  bool complete = false;         ///< it has a footer
};

/// Called with each line of a point, in order, without its newline.
using LineTaker = std::function<void(std::string_view line)>;

/// Reads the file of a descriptor from its start and verifies every line: checksum, order, and
/// that the store belongs to `header`. `digest` gets the bytes of header and points. An
/// incomplete last line, as a killed process leaves it, is not an error. Throws StoreError with
/// file and line.
[[nodiscard]] StoreContent read_store(int descriptor, const std::string& file,
                                      const StoreHeader& header, files::Digest& digest,
                                      const LineTaker& take);

/// The same for a file by name.
[[nodiscard]] StoreContent read_store(const std::string& file, const StoreHeader& header,
                                      const LineTaker& take);

}  // namespace vgsim::sweep
