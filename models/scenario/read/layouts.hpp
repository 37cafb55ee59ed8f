#pragma once

#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "models/scenario/read/document.hpp"
#include "models/scenario/read/scenario.hpp"
#include "topology/input/diagnostics.hpp"

namespace vgsim::scenario {

struct Library;

/// One variant of a scenario: the file with a patch applied and all ranges expanded.
struct LayoutInput {
  std::string name;
  Document document;  ///< checked against the shape of layout_decoder()
};

/// The layouts of a scenario document, in file order; one of the scenario's name if it has none.
///
/// Checks the document, expands ranges of names in hosts, VMs and NICs, applies the patches
/// (RFC 7396) and checks every result. Values keep the position that they were written at.
[[nodiscard]] std::vector<LayoutInput> read_layouts(const Document& document,
                                                    input::Diagnostics& diagnostics);

/// The same, with names as the library has them (see with_known_names()).
[[nodiscard]] std::vector<LayoutInput> read_layouts(const Document& document,
                                                    const Library& library,
                                                    input::Diagnostics& diagnostics);

/// A scenario document as values: all that it says, after its patches, with names as the library
/// has them.
[[nodiscard]] tl::expected<Scenario, input::Diagnostics> read_scenario(const Document& document,
                                                                       const Library& library);

/// The document with all ranges of names in hosts, VMs and NICs replaced by single ones, also in
/// its layouts, so that one of them can be addressed.
[[nodiscard]] Document with_single_names(const Document& document, input::Diagnostics& diagnostics);

}  // namespace vgsim::scenario
