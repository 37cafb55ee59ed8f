#pragma once

#include <tl/expected.hpp>

#include "models/training/network.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/shapes/shape.hpp"
#include "topology/input/value.hpp"

namespace vgsim::training {

[[nodiscard]] input::Shape network_shape();

/// Reads a network that was checked against network_shape(); reports invalid tensors.
[[nodiscard]] NetworkModel read_network(const input::Value& document,
                                        input::Diagnostics& diagnostics);

/// Reads a network file, strictly.
[[nodiscard]] tl::expected<NetworkModel, input::Diagnostics> read_network(
    const input::SourcePtr& file);

}  // namespace vgsim::training
