#pragma once

#include <string>

namespace vgsim::trace {

/// The bytes as a gzip file without name and time, so that the same bytes give the same file.
[[nodiscard]] std::string gzipped(const std::string& bytes);

}  // namespace vgsim::trace
