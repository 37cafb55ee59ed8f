#pragma once

#include "models/vsphere/spec/vm_spec.hpp"
#include "topology/input/decoder.hpp"

namespace vgsim::vsphere {

/// What a scenario says of one virtual machine. Reports keys of "gpus" that do not go together.
[[nodiscard]] input::Decoder<VmSpec> vm_decoder();

}  // namespace vgsim::vsphere
