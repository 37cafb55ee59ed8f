#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/training/layer_group.hpp"
#include "models/training/measured_step.hpp"
#include "models/training/transformer.hpp"
#include "sim/units.hpp"
#include "topology/catalog/parts.hpp"

namespace vgsim::training {

/// Training until a published quality is reached.
struct TrainingTarget {
  std::string quality;  ///< "76.13 % top-1 accuracy"
  std::int64_t epochs = 0;
  std::string source;
};

/// A network as `configs/networks/` describes it, in forward order.
struct NetworkModel {
  std::string name;
  std::optional<std::int64_t> sequence_length;  ///< default, for networks with tokens
  /// Standard deviation of the work of a rank's batch, relative to its mean: samples differ.
  double batch_spread = 0;
  /// Measured training jobs that use it; empty if its predictions were never compared.
  std::vector<std::string> validated_by;
  std::optional<TrainingTarget> target;
  std::string dataset;   ///< usual data set, by catalogue name, or empty
  Bytes stored_bytes{};  ///< one sample, as read from storage
  Bytes device_bytes{};  ///< one sample, as copied to the GPU
  SimTime core_time{};   ///< of one core, to decode and augment one sample
  std::vector<LayerGroup> layers;
  std::optional<Transformer> transformer;  ///< the source of the layers, if they were generated
  std::optional<MeasuredStep> measured;    ///< replaces layers; its ranks exchange nothing
  /// Achieved share of a GPU's peak in training, by precision.
  std::map<std::string, topology::Sourced<double>> achieved_share;

  [[nodiscard]] std::int64_t parameters() const;
  [[nodiscard]] Flops forward(std::int64_t tokens) const;
  /// Operations of a step divided by those of its forward pass: 3, or 2 if parameters are frozen.
  [[nodiscard]] std::int64_t operations_of_step() const;
};

}  // namespace vgsim::training
