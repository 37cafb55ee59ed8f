#pragma once

#include "models/scenario/read/scenario.hpp"
#include "topology/input/decoder.hpp"

namespace vgsim::scenario {

/// What one layout is after its patch: a scenario without its layouts.
[[nodiscard]] const input::Decoder<Layout>& layout_decoder();

/// A scenario file.
[[nodiscard]] input::Shape scenario_shape();

/// The same inside of another file: it may name its schema and describe itself.
[[nodiscard]] input::Shape scenario_document_shape();

}  // namespace vgsim::scenario
