#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "topology/input/source_file.hpp"

namespace vgsim::vsphere::import {

/// The same file in UTF-8 and without a byte order mark, which is what all readers here expect.
/// Windows tools write UTF-16 with a mark (RVTools, redirection in PowerShell); what is broken in
/// it becomes U+FFFD. Files that need no change are returned as they are.
[[nodiscard]] input::SourcePtr in_utf8(const input::SourcePtr& source);

/// The same for the start of a text, at most so many bytes of it: enough to tell its format.
[[nodiscard]] std::string utf8_start(std::string_view text, std::size_t bytes);

}  // namespace vgsim::vsphere::import
