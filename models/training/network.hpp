#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "sim/units.hpp"
#include "topology/catalog/parts.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/shape.hpp"

namespace vgsim::training {

/// Layers whose forward pass is one piece of work, with the parameters that they own.
struct LayerGroup {
  std::string name;
  std::vector<std::int64_t> tensors;  ///< parameters of each tensor, in order of registration
  Flops flops_per_sample{};           ///< forward; these three add up
  Flops flops_per_token{};
  Flops flops_per_token_pair{};  ///< times tokens squared (attention)

  /// Forward operations for one sample of that many tokens (0 for networks without tokens).
  [[nodiscard]] Flops forward(std::int64_t tokens) const;
  [[nodiscard]] std::int64_t parameters() const;
};

/// A network as `configs/networks/` describes it, in forward order.
struct NetworkModel {
  std::string name;
  std::optional<std::int64_t> sequence_length;  ///< default, for networks with tokens
  std::string dataset;                          ///< usual data set, by catalogue name, or empty
  Bytes stored_bytes{};                         ///< one sample in storage
  Bytes device_bytes{};                         ///< one sample on its way to the GPU
  SimTime core_time{};  ///< what a core takes to decode and augment one sample
  std::vector<LayerGroup> layers;
  /// Share of a GPU's peak that training reaches, by precision.
  std::map<std::string, topology::Sourced<double>> achieved_share;

  [[nodiscard]] std::int64_t parameters() const;
  [[nodiscard]] Flops forward(std::int64_t tokens) const;
};

[[nodiscard]] input::Shape network_shape();

/// Reads a network file, strictly.
[[nodiscard]] tl::expected<NetworkModel, input::Diagnostics> read_network(
    const input::SourcePtr& file);

}  // namespace vgsim::training
