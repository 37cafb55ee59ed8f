#pragma once

#include <string>
#include <vector>

#include "models/scenario/read/scenario.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/value.hpp"

namespace vgsim::scenario {

struct Library;

/// One variant of a scenario: the file with a patch applied and all ranges expanded.
struct LayoutInput {
  std::string name;
  input::Value value;  ///< checked against the shape of layout_decoder()
};

/// The layouts of a scenario document, in file order; one of the scenario's name if it has none.
///
/// Checks the document, expands ranges of names in hosts, VMs and NICs, applies the patches
/// (RFC 7396) and checks every result. Values keep the position that they were written at.
[[nodiscard]] std::vector<LayoutInput> read_layouts(const input::Value& document,
                                                    input::Diagnostics& diagnostics);

/// The same, with names as the library has them (see with_known_names()).
[[nodiscard]] std::vector<LayoutInput> read_layouts(const input::Value& document,
                                                    const Library& library,
                                                    input::Diagnostics& diagnostics);

/// A scenario document as values: all that it says, after its patches, with names as the library
/// has them. After errors it is of no use.
[[nodiscard]] Scenario read_scenario(const input::Value& document, const Library& library,
                                     input::Diagnostics& diagnostics);

/// The document with all ranges of names in hosts, VMs and NICs replaced by single ones, also in
/// its layouts, so that one of them can be addressed.
[[nodiscard]] input::Value with_single_names(const input::Value& document,
                                             input::Diagnostics& diagnostics);

}  // namespace vgsim::scenario
