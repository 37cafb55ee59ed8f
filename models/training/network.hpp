#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "models/training/layer_group.hpp"
#include "models/training/transformer.hpp"
#include "sim/units.hpp"
#include "topology/catalog/parts.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/shape.hpp"
#include "topology/input/value.hpp"

namespace vgsim::training {

/// A network as `configs/networks/` describes it, in forward order.
struct NetworkModel {
  std::string name;
  std::optional<std::int64_t> sequence_length;  ///< default, for networks with tokens
  /// Cases of measured training jobs that use it; none for a network that was never compared.
  std::vector<std::string> validated_by;
  std::string dataset;   ///< usual data set, by catalogue name, or empty
  Bytes stored_bytes{};  ///< one sample in storage
  Bytes device_bytes{};  ///< one sample on its way to the GPU
  SimTime core_time{};   ///< what a core takes to decode and augment one sample
  std::vector<LayerGroup> layers;
  std::optional<Transformer> transformer;  ///< what the layers were written from
  /// Share of a GPU's peak that training reaches, by precision.
  std::map<std::string, topology::Sourced<double>> achieved_share;

  [[nodiscard]] std::int64_t parameters() const;
  [[nodiscard]] Flops forward(std::int64_t tokens) const;
};

[[nodiscard]] input::Shape network_shape();

/// Reads a network that was checked against network_shape(); reports tensors that are none.
[[nodiscard]] NetworkModel read_network(const input::Value& document,
                                        input::Diagnostics& diagnostics);

/// Reads a network file, strictly.
[[nodiscard]] tl::expected<NetworkModel, input::Diagnostics> read_network(
    const input::SourcePtr& file);

}  // namespace vgsim::training
