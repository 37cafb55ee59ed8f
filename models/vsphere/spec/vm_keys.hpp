#pragma once

#include "models/vsphere/spec/vm_spec.hpp"
#include "topology/input/decoder.hpp"

namespace vgsim::vsphere {

/// Decodes one virtual machine of a scenario. Reports keys of "gpus" that exclude each other.
[[nodiscard]] input::Decoder<VmSpec> vm_decoder();

/// Decodes the cluster of a scenario, under the names of its advanced options.
[[nodiscard]] input::Decoder<ClusterSettings> cluster_decoder();

}  // namespace vgsim::vsphere
