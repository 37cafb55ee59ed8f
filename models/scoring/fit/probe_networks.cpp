#include "models/scoring/fit/probe_networks.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "models/calibration/probe_networks.hpp"
#include "models/scenario/read/library.hpp"

namespace vgsim::scenario {
namespace {

using calibration::TrainingStep;
using nlohmann::json;

const json kSources = {{"probe", {{"title", "vgsim probe"}, {"evidence", "derived"}}}};

json transformer_network() {
  using namespace calibration::probe_transformer;
  return {{"name", "decoder layers of vgsim probe"},
          {"sources", kSources},
          {"sample", {{"sequence_length", kSequence}}},
          {"transformer",
           {{"layers", kLayers},
            {"hidden", kHidden},
            {"heads", kHeads},
            {"ffn", kFeedForward},
            {"gated", false},
            {"vocabulary", 1},
            {"output", "none"},
            {"bias", false},
            {"final_norm", false}}}};
}

/// A bottleneck block keeps the inputs of its convolutions and norms: twice the outer channels and
/// four times the inner ones, as in ResNet-50.
json cnn_block(std::int64_t index) {
  using namespace calibration::probe_cnn;
  constexpr std::int64_t kFilter = kFilterExtent * kFilterExtent * kInnerChannels * kInnerChannels;
  constexpr std::int64_t kOuter = kChannels * kInnerChannels;
  constexpr std::int64_t kKernels = 9;
  return {{"name", fmt::format("block{}", index + 1)},
          {"tensors",
           json::array(
               {json::array({"conv1.weight", kOuter}), json::array({"bn1", 2 * kInnerChannels}),
                json::array({"conv2.weight", kFilter}), json::array({"bn2", 2 * kInnerChannels}),
                json::array({"conv3.weight", kOuter}), json::array({"bn3", 2 * kChannels})})},
          {"forward_flops",
           {{"per_sample", fmt::format("{} FLOP", 2 * kPixels * (2 * kOuter + kFilter))}}},
          {"activations", {{"per_sample", kPixels * (2 * kChannels + 4 * kInnerChannels)}}},
          {"kernels", kKernels}};
}

json cnn_network() {
  json network = {
      {"name", "convolutions of vgsim probe"}, {"sources", kSources}, {"layers", json::array()}};
  for (std::int64_t block = 0; block < calibration::probe_cnn::kBlocks; ++block) {
    network["layers"].push_back(cnn_block(block));
  }
  return network;
}

}  // namespace

ProbeJob job_of(const TrainingStep& step) {
  const bool transformer = step.network == "transformer";
  // The probe launches its kernels without a framework, so launches do not limit it.
  ProbeJob job;
  const json keys = {{"network", kProbeNetworkFile}, {"batch_per_gpu", step.batch},
                     {"precision", step.precision},  {"optimizer", transformer ? "adam" : "sgd"},
                     {"cuda_graphs", true},          {"samples_per_epoch", 1'000'000},
                     {"input", {{"decode", "none"}}}};
  job.job = keys.dump();
  job.network = (transformer ? transformer_network() : cnn_network()).dump();
  return job;
}

}  // namespace vgsim::scenario
