#pragma once

#include <cstdint>

#include "models/calibration/device_work.hpp"

namespace vgsim::calibration {

/// GPT decoder layers without biases in the linear layers, without dropout, embedding and output
/// layer. Attention computes whole score matrices and masks the upper half.
namespace probe_transformer {
inline constexpr std::int64_t kLayers = 4;
inline constexpr std::int64_t kHidden = 2048;
inline constexpr std::int64_t kHeads = 16;
inline constexpr std::int64_t kHeadSize = kHidden / kHeads;
inline constexpr std::int64_t kSequence = 1024;
inline constexpr std::int64_t kFeedForward = 8192;
}  // namespace probe_transformer

/// The bottleneck blocks after the first one of stage conv3_x of ResNet-50: 1x1, 3x3 and 1x1
/// convolutions with batch norm and ReLU around a residual connection, on 28 x 28 pixels.
namespace probe_cnn {
inline constexpr std::int64_t kBlocks = 3;
inline constexpr std::int64_t kChannels = 512;
inline constexpr std::int64_t kInnerChannels = 128;
inline constexpr std::int64_t kExtent = 28;
inline constexpr std::int64_t kPixels = kExtent * kExtent;
inline constexpr std::int64_t kFilterExtent = 3;
}  // namespace probe_cnn

/// Floating-point operations of the matrix products and convolutions of a step: three times those
/// of the forward pass; 0 for an unknown network.
[[nodiscard]] double flops_of_step(const TrainingStep& step);

}  // namespace vgsim::calibration
