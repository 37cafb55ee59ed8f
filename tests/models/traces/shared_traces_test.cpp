// Real traces in a folder next to the project: the expected result, or the reason for a refusal.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "models/traces/measured_pass.hpp"
#include "models/traces/trace_file.hpp"
#include "models/traces/traced_iteration.hpp"
#include "models/traces/traced_layers.hpp"
#include "models/traces/traced_network.hpp"
#include "models/training/buckets.hpp"
#include "models/training/read/network_file.hpp"
#include "tests/support/extra.hpp"
#include "tests/support/scenarios.hpp"

namespace vgsim::traces {
namespace shared_traces_test {

using namespace literals;
using ::testing::HasSubstr;

std::optional<Trace> shared_trace(const std::string& name) {
  const std::string path = (test::extra_files() / "traces" / name).string();
  if (!std::filesystem::exists(path)) return std::nullopt;
  auto trace = read_trace_file(path);
  EXPECT_TRUE(trace) << (trace ? "" : input::render(trace.error()));
  return trace ? std::optional(std::move(*trace)) : std::nullopt;
}

class ExtraSharedTraces : public test::NeedsExtraFiles {};

TEST_F(ExtraSharedTraces, ResNet50IsTheNetworkThatShips) {
  for (const char* name : {"chakra/param-resnet_et.json.gz",
                           "chakra/param-1.0.3-chakra.0.0.4-resnet_1gpu_et.json.gz"}) {
    const auto trace = shared_trace(name);
    ASSERT_TRUE(trace);
    const auto traced = network_of(*trace, {"resnet", name, std::nullopt});
    ASSERT_TRUE(traced) << input::render(traced.error());
    const auto network = training::read_network(input::make_source("resnet.json", traced->network));
    ASSERT_TRUE(network);
    const auto& shipped = test::library().networks->at("resnet-50");
    EXPECT_EQ(network->parameters(), shipped.parameters());
    EXPECT_EQ(network->forward(0).count(), shipped.forward(0).count());
    EXPECT_THAT(traced->job, HasSubstr("\"batch_per_gpu\":32"));
    // The sizes that DDP reduced, five in each of three steps.
    const auto buckets = training::ddp_buckets(*network, Bytes{4}, 1_MiB, 25_MiB);
    std::vector<double> sizes;
    for (const auto& bucket : buckets) sizes.push_back(static_cast<double>(bucket.size.count()));
    std::vector<double> recorded;
    for (const auto& call : trace->collectives) {
      if (call.name == "all_reduce") recorded.push_back(call.bytes);
    }
    ASSERT_EQ(recorded.size(), 15U);
    recorded.resize(5);
    EXPECT_EQ(sizes, recorded);
  }
}

TEST_F(ExtraSharedTraces, TwentyOneLinearLayers) {
  const auto trace = shared_trace("chakra/param-linear_et.json.gz");
  ASSERT_TRUE(trace);
  const auto traced = network_of(*trace, {"linear", "linear", std::nullopt});
  ASSERT_TRUE(traced);
  // 20 layers of 1,024 x 1,024 and the last of 1,024 x 1,000, each with its bias.
  EXPECT_THAT(traced->found.at(1), HasSubstr("21 layers, 42 tensors with 22041600 parameters"));
}

TEST_F(ExtraSharedTraces, ProfilesWithoutShapesStillTellWhatTheyMeasured) {
  const auto trace = shared_trace("kineto/hta-nccl_parser_config-nccl_data.json.gz");
  ASSERT_TRUE(trace);
  EXPECT_FALSE(network_of(*trace, {"n", "n", std::nullopt}));
  EXPECT_EQ(trace->gpu, "NVIDIA A100-PG509-200");
  EXPECT_EQ(trace->ranks, 2);
  EXPECT_EQ(trace->step_seconds.size(), 3U);
  EXPECT_EQ(trace->collectives.size(), 21U);
}

/// A profile without some operations: a part of what a model trains.
constexpr const char* kSampled = "kineto/hta-timeline_analysis-sampled_rank-0.json.gz";

TEST_F(ExtraSharedTraces, LayersThatWereLeftOutContradictTheCollectives) {
  const auto trace = shared_trace(kSampled);
  ASSERT_TRUE(trace);
  const auto traced = network_of(*trace, {"n", "n", std::nullopt});
  ASSERT_FALSE(traced);
  EXPECT_THAT(input::render(traced.error()), HasSubstr("186.3 MB in a pass"));
}

TEST_F(ExtraSharedTraces, OneStepTellsHowLongTheNextTakes) {
  const auto trace = shared_trace(kSampled);
  ASSERT_TRUE(trace);
  const TracedPasses all = passes_of(*trace);
  std::vector<double> seconds;
  for (const TracedIteration& pass : all.passes) {
    const TracedLayers layers = layers_of(pass, samples_of(pass));
    const auto measured = measured_pass(*trace, {{pass}, all.phases}, pass, layers.layers);
    if (!measured || pass.forward.size() < 50) continue;
    EXPECT_EQ(measured->precision, "tf32");
    seconds.push_back(measured->seconds);
  }
  ASSERT_EQ(seconds.size(), 2U);
  EXPECT_NEAR(seconds[0] / seconds[1], 1.0, 0.15);
}

TEST_F(ExtraSharedTraces, EachIsReadOrRefusedAndNeverCrashes) {
  std::size_t read = 0;
  const std::string folder = (test::extra_files() / "traces").string();
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    const auto trace = read_trace_file(entry.path().string());
    const bool archive = entry.path().string().ends_with(".tar.gz");
    EXPECT_EQ(trace.has_value(), !archive) << entry.path();
    if (trace) static_cast<void>(network_of(*trace, {"n", "n", std::nullopt}));
    ++read;
  }
  EXPECT_GT(read, 20U);
}

}  // namespace shared_traces_test
}  // namespace vgsim::traces
