#pragma once

#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "models/scenario/build/vm_placement.hpp"
#include "models/scenario/read/document.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/file_loader.hpp"

namespace vgsim::scenario {

struct Library;

/// vSphere's placement of the VMs of all layouts of a scenario.
[[nodiscard]] tl::expected<std::vector<LayoutPlacement>, input::Diagnostics> place_scenario(
    const Document& document, const Library& library, const input::FileLoader& load);

/// As JSON, with a newline at the end.
[[nodiscard]] std::string to_json(const std::vector<LayoutPlacement>& layouts);

}  // namespace vgsim::scenario
