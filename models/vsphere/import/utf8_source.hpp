#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "topology/input/source_file.hpp"

namespace vgsim::vsphere::import {

/// The same file in UTF-8 and without a byte order mark, as all readers here expect. Windows tools
/// write UTF-16 with a mark (RVTools, redirection in PowerShell); invalid parts become U+FFFD.
/// Other files are returned unchanged.
[[nodiscard]] input::SourcePtr in_utf8(const input::SourcePtr& source);

/// The same for at most the first `bytes` bytes of a text: enough to recognize its format.
[[nodiscard]] std::string utf8_start(std::string_view text, std::size_t bytes);

}  // namespace vgsim::vsphere::import
