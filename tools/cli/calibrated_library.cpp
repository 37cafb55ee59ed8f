#include "tools/cli/calibrated_library.hpp"

#include "models/scenario/build/layout_library.hpp"
#include "tools/cli/config_files.hpp"

namespace vgsim::cli {

tl::expected<scenario::Library, input::Diagnostics> load_calibrated_library(
    const std::optional<std::string>& calibration) {
  auto library = load_library(config_dir());
  if (!library || !calibration) return library;
  input::Diagnostics diagnostics;
  const auto found = scenario::find_calibration({*calibration, {}, true}, *library,
                                                loader_relative_to("."), diagnostics);
  if (!found) return tl::unexpected(diagnostics);
  return scenario::calibrated(*library, *found);
}

}  // namespace vgsim::cli
