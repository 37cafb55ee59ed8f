#pragma once

#include <functional>
#include <string>
#include <tl/expected.hpp>

#include "topology/input/diagnostics.hpp"
#include "topology/input/source_file.hpp"

namespace vgsim::input {

/// Loads a file that an input names, with the path as written there.
using FileLoader = std::function<tl::expected<SourcePtr, Diagnostics>(const std::string& path)>;

}  // namespace vgsim::input
