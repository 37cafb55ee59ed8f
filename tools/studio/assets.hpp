#pragma once

#include <string_view>
#include <vector>

namespace vgsim::studio {

/// A file of tools/studio/page.
struct Asset {
  std::string_view name;  ///< "studio.js"
  std::string_view type;  ///< "text/javascript; charset=utf-8"
  std::string_view text;
};

/// All of them; they are part of the program.
[[nodiscard]] const std::vector<Asset>& assets();

}  // namespace vgsim::studio
