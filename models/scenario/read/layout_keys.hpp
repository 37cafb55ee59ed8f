#pragma once

#include "models/scenario/read/scenario.hpp"
#include "topology/input/decoder.hpp"

namespace vgsim::scenario {

/// Reads one layout after its patch: a scenario without layouts.
[[nodiscard]] const input::Decoder<Layout>& layout_decoder();

/// Shape of a scenario file.
[[nodiscard]] input::Shape scenario_shape();

/// Shape of a scenario in another file, with "$schema" and "description".
[[nodiscard]] input::Shape scenario_document_shape();

}  // namespace vgsim::scenario
