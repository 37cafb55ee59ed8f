#pragma once

#include "topology/input/decoder.hpp"
#include "topology/spec/fabric_spec.hpp"

namespace vgsim::topology {

[[nodiscard]] input::Decoder<FabricSpec> fabric_decoder();

}  // namespace vgsim::topology
