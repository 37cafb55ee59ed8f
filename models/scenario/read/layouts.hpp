#pragma once

#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "models/scenario/read/document.hpp"
#include "models/scenario/read/scenario.hpp"
#include "topology/input/diagnostics.hpp"

namespace vgsim::scenario {

struct Library;

/// One layout of a scenario: the file with its patch applied and all ranges expanded.
struct LayoutInput {
  std::string name;
  Document document;  ///< checked against the shape of layout_decoder()
};

/// The layouts of a scenario document, in file order; one of the scenario's name if it has none.
///
/// Checks the document, expands name ranges of hosts, VMs and NICs, applies the patches (RFC 7396)
/// and checks every result. Values keep their source locations.
[[nodiscard]] std::vector<LayoutInput> read_layouts(const Document& document,
                                                    input::Diagnostics& diagnostics);

/// The same, with library names (see with_known_names()).
[[nodiscard]] std::vector<LayoutInput> read_layouts(const Document& document,
                                                    const Library& library,
                                                    input::Diagnostics& diagnostics);

/// Reads a scenario document, with its patches applied and library names.
[[nodiscard]] tl::expected<Scenario, input::Diagnostics> read_scenario(const Document& document,
                                                                       const Library& library);

/// The document with all name ranges of hosts, VMs and NICs expanded, also in its layouts, so that
/// each one can be addressed.
[[nodiscard]] Document with_single_names(const Document& document, input::Diagnostics& diagnostics);

}  // namespace vgsim::scenario
