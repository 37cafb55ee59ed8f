#include "models/calibration/probe_networks.hpp"

namespace vgsim::calibration {
namespace {

/// Multiply-adds of the forward pass for one sequence.
double transformer_products() {
  using namespace probe_transformer;
  constexpr std::int64_t kWeights = 4 * kHidden * kHidden + 2 * kHidden * kFeedForward;
  constexpr std::int64_t kAttention = 2 * kSequence * kSequence * kHidden;
  return static_cast<double>(kLayers * (kSequence * kWeights + kAttention));
}

/// Multiply-adds of the forward pass for one image.
double cnn_products() {
  using namespace probe_cnn;
  constexpr std::int64_t kWeights = 2 * kChannels * kInnerChannels +
                                    kFilterExtent * kFilterExtent * kInnerChannels * kInnerChannels;
  return static_cast<double>(kBlocks * kPixels * kWeights);
}

}  // namespace

double flops_of_step(const TrainingStep& step) {
  constexpr double kFlopsPerProduct = 2;
  constexpr double kPasses = 3;  // forward, gradient of the input, gradient of the weights
  double products = 0;
  if (step.network == "transformer") products = transformer_products();
  if (step.network == "cnn") products = cnn_products();
  return kPasses * kFlopsPerProduct * products * static_cast<double>(step.batch);
}

}  // namespace vgsim::calibration
