#pragma once

#include <set>
#include <string_view>

namespace vgsim::cli {

/// Of the files in `configs/` that the build has read without an error (checked_mark).
[[nodiscard]] const std::set<std::string_view>& checked_marks();

}  // namespace vgsim::cli
