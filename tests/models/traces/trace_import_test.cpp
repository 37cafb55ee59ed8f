// Networks from traces: one small network in every supported format.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <protozero/pbf_writer.hpp>

#include "models/traces/trace_file.hpp"
#include "models/traces/traced_network.hpp"
#include "models/training/read/network_file.hpp"
#include "tests/models/traces/chakra_texts.hpp"
#include "tests/models/traces/trace_texts.hpp"
#include "tests/support/scratch.hpp"
#include "topology/input/source_file.hpp"

namespace vgsim::traces {
namespace trace_import_test {

using nlohmann::json;
using ::testing::HasSubstr;

class TraceImport : public ::testing::Test {
 protected:
  tl::expected<Trace, input::Diagnostics> read(const std::string& text) {
    std::ofstream(path_, std::ios::binary) << text;
    return read_trace_file(path_);
  }

  tl::expected<TracedNetwork, input::Diagnostics> import(const std::string& text) {
    const auto trace = read(text);
    if (!trace) return tl::unexpected(trace.error());
    return network_of(*trace, {"small", "small.json", std::nullopt});
  }

  /// The message of a refusal.
  std::string refusal(const std::string& text) {
    const auto network = import(text);
    return network ? "" : input::render(network.error());
  }

  /// The network, read in the way of a job.
  training::NetworkModel network(const std::string& text) {
    const auto traced = import(text);
    EXPECT_TRUE(traced) << (traced ? "" : input::render(traced.error()));
    if (!traced) return {};
    const auto read = training::read_network(input::make_source("traced.json", traced->network));
    EXPECT_TRUE(read) << (read ? "" : input::render(read.error())) << traced->network;
    return read ? *read : training::NetworkModel();
  }

  void expect_small_network(const std::string& text) {
    const training::NetworkModel small = network(text);
    ASSERT_EQ(small.layers.size(), 2U);
    EXPECT_EQ(small.layers[0].tensors, (std::vector<std::int64_t>{4 * 3 * 9, 4, 4}));
    EXPECT_EQ(small.layers[1].tensors, (std::vector<std::int64_t>{2560, 10}));
    EXPECT_EQ(small.layers[0].forward(0).count(), 2 * 4 * 8 * 8 * 27);
    EXPECT_EQ(small.layers[1].forward(0).count(), 2 * 256 * 10);
    // The inputs of conv, norm and linear.
    EXPECT_EQ(small.layers[0].activations.per_sample, 3 * 64 + 4 * 64);
    EXPECT_EQ(small.layers[1].activations.per_sample, 256);
  }

  const test::Scratch scratch_;
  const std::string path_ = scratch_.file("trace");
};

TEST_F(TraceImport, ExecutionTracesTellLayersOfEitherForm) {
  expect_small_network(test::execution_trace(test::small_network(), true));
  expect_small_network(test::execution_trace(test::small_network(), false));
}

TEST_F(TraceImport, ProfilesWithShapesTellTheSame) {
  expect_small_network(test::kineto_trace(test::small_network()));
}

TEST_F(TraceImport, ChakraTracesTellTheSame) { expect_small_network(test::chakra_trace()); }

TEST_F(TraceImport, CompressedTracesAreUnpacked) {
  const std::string text = test::kineto_trace(test::small_network());
  gzFile file = gzopen(path_.c_str(), "wb");
  gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
  gzclose(file);
  const auto trace = read_trace_file(path_);
  ASSERT_TRUE(trace);
  EXPECT_EQ(trace->gpu, "NVIDIA A100-SXM4-80GB");
  EXPECT_EQ(trace->step_seconds, (std::vector<double>{0.04}));
  std::filesystem::resize_file(path_, std::filesystem::file_size(path_) / 2);
  EXPECT_FALSE(read_trace_file(path_));
}

TEST_F(TraceImport, WhatUnpacksToAThousandTimesItsSizeIsNoTrace) {
  const std::string zeros(std::size_t{8} << 20, '\0');
  gzFile file = gzopen(path_.c_str(), "wb");
  gzwrite(file, zeros.data(), static_cast<unsigned>(zeros.size()));
  gzclose(file);
  const auto trace = read_trace_file(path_);
  ASSERT_FALSE(trace);
  EXPECT_THAT(trace.error().items().front().message, HasSubstr("100 times its size"));
}

TEST_F(TraceImport, TwoPassesAreOneNetwork) {
  std::vector<test::Call> calls = test::small_network();
  const auto first = static_cast<int>(calls.size());
  for (test::Call call : test::small_network()) {
    if (call.parent >= 0) call.parent += first;
    calls.push_back(call);
  }
  expect_small_network(test::execution_trace(calls, true));
}

TEST_F(TraceImport, TheBatchCanBeSaid) {
  const auto trace = read(test::execution_trace(test::small_network(), true));
  ASSERT_TRUE(trace);
  const auto traced = network_of(*trace, {"small", "small.json", 1});
  ASSERT_TRUE(traced);
  EXPECT_THAT(traced->network, HasSubstr("27648 FLOP"));  // both samples counted as one
  EXPECT_THAT(traced->job, HasSubstr("\"batch_per_gpu\":1"));
}

TEST_F(TraceImport, FrozenWeightsAreLeftOutAndTold) {
  std::vector<test::Call> calls = test::small_network();
  calls.pop_back();  // no gradient of the convolution
  const auto traced = import(test::execution_trace(calls, true));
  ASSERT_TRUE(traced);
  EXPECT_THAT(traced->found.at(1), HasSubstr("4 tensors with 2578 parameters"));
  EXPECT_THAT(traced->skipped, ::testing::Contains(HasSubstr("1 weights without a gradient")));
}

TEST_F(TraceImport, TransformersHaveTokens) {
  // Two sequences of 16 tokens: embedding of 8 elements, scores of two heads, and a product.
  const std::vector<test::Call> calls = {
      {"aten::embedding", -1, {{100, 8}, {2, 16}}, {2, 16, 8}, 1, 1},
      {"aten::scaled_dot_product_attention",
       -1,
       {{2, 2, 16, 4}, {2, 2, 16, 4}, {2, 2, 16, 4}},
       {2, 2, 16, 4},
       1,
       2},
      {"aten::linear", -1, {{2, 16, 8}, {32, 8}}, {2, 16, 32}, 1, 3},
      {"torch::autograd::AccumulateGrad", -1, json::array({json::array({32, 8})}), nullptr, 2, 0},
      {"torch::autograd::AccumulateGrad", -1, json::array({json::array({100, 8})}), nullptr, 2, 0},
  };
  const training::NetworkModel tokens = network(test::execution_trace(calls, true));
  EXPECT_EQ(tokens.sequence_length, 16);
  EXPECT_EQ(tokens.layers.at(0).flops_per_token_pair.count(), 4 * 2 * 4);
  EXPECT_EQ(tokens.layers.at(1).flops_per_token.count(), 2 * 8 * 32);
  EXPECT_EQ(tokens.parameters(), 800 + 256);
}

TEST_F(TraceImport, WhatTellsNoNetworkIsRefusedWithItsReason) {
  EXPECT_THAT(refusal(test::kineto_trace(test::small_network(), false)),
              HasSubstr("shapes of tensors were not recorded"));
  EXPECT_THAT(refusal(R"({"traceEvents": []})"), HasSubstr("E603"));
  const std::string compiled =
      R"J({"nodes": [{"name": "triton_poi_fused_add", "id": 1, "inputs": [[1]],
                      "input_shapes": [[4]], "input_types": ["Tensor(float)"]}]})J";
  EXPECT_THAT(refusal(compiled), HasSubstr("compiled"));
  // Visible layers next to compiled regions are not the whole network.
  std::vector<test::Call> calls = test::small_network();
  calls.push_back({"CompiledFunction", -1, json::array(), nullptr, 1, 0});
  EXPECT_THAT(refusal(test::kineto_trace(calls)), HasSubstr("1 operations are compiled regions"));
}

TEST_F(TraceImport, WhatIsNoTraceIsRefused) {
  for (const char* text : {"", "{", "{}", "{\"nodes\": [}", "[1, 2]", "no trace at all",
                           "{\"nodes\": [], \"traceEvents\": []}", "\x7f\x01\x02"}) {
    EXPECT_THAT(refusal(text), HasSubstr("E6")) << text;
  }
  EXPECT_THAT(refusal("{\"nodes\": " + std::string(100, '[')), HasSubstr("nested"));
  EXPECT_FALSE(read_trace_file("/nowhere/trace.json"));
  EXPECT_FALSE(read_trace_file(scratch_.file("")));
}

TEST_F(TraceImport, ASchemaThatIsNoTextIsRefused) {
  const auto trace = read(R"({"schema": 1, "nodes": []})");
  ASSERT_FALSE(trace);
  EXPECT_THAT(input::render(trace.error()), HasSubstr("must be string"));
}

TEST_F(TraceImport, NotANumberAndBrokenTextDoNotMatter) {
  const auto trace = read(
      "{\"traceEvents\": [{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"k\xff\", \"dur\": 5, "
      "\"args\": {\"occupancy\": NaN, \"a\": -Infinity}}], \"deviceProperties\": []}");
  ASSERT_TRUE(trace) << input::render(trace.error());
  EXPECT_DOUBLE_EQ(trace->kernel_seconds, 5e-6);
}

TEST_F(TraceImport, KernelsOfNcclCountApart) {
  const auto trace = read(R"({"traceEvents": [
      {"ph": "X", "cat": "kernel", "name": "gemm", "dur": 30},
      {"ph": "X", "cat": "kernel", "name": "ncclDevKernel_AllReduce_Sum_f32_RING_LL", "dur": 12.5,
       "args": {"Collective name": "allreduce", "In msg nelems": 1000, "dtype": "BFloat16"}}]})");
  ASSERT_TRUE(trace);
  EXPECT_DOUBLE_EQ(trace->kernel_seconds, 30e-6);
  EXPECT_DOUBLE_EQ(trace->collective_seconds, 12.5e-6);
  ASSERT_EQ(trace->collectives.size(), 1U);
  EXPECT_DOUBLE_EQ(trace->collectives[0].bytes, 2000);
}

TEST_F(TraceImport, TensorsThatCannotBeTellNothing) {
  auto calls = test::small_network();
  for (const std::int64_t extent : {std::int64_t{0}, std::int64_t{-4}, std::int64_t{1} << 60}) {
    calls[12].inputs = json::array({json::array({extent})});  // the gradient of the linear bias
    const training::NetworkModel small = network(test::execution_trace(calls, true));
    ASSERT_EQ(small.layers.size(), 2U);
    EXPECT_EQ(small.layers[1].tensors, (std::vector<std::int64_t>{2560})) << extent;
  }
}

TEST_F(TraceImport, SendsAndReceivesOfChakraAreNoCollectives) {
  std::string metadata;
  protozero::pbf_writer(metadata).add_string(1, "0.0.4");
  std::string file = test::chakra_message(metadata);
  for (const int kind : {5, 6, 7}) {
    std::string node;
    protozero::pbf_writer writer(node);
    writer.add_uint64(1, static_cast<std::uint64_t>(kind));
    writer.add_enum(3, kind);
    for (const auto& [name, value] : {std::pair("comm_type", 0), std::pair("comm_size", 4096)}) {
      std::string text;
      protozero::pbf_writer attribute(text);
      attribute.add_string(1, name);
      attribute.add_int64(9, value);
      writer.add_message(10, text);
    }
    file += test::chakra_message(node);
  }
  const auto trace = read(file);
  ASSERT_TRUE(trace) << input::render(trace.error());
  ASSERT_EQ(trace->collectives.size(), 3U);
  EXPECT_EQ(trace->collectives[0].name, "send");
  EXPECT_EQ(trace->collectives[1].name, "recv");
  EXPECT_EQ(trace->collectives[2].name, "all_reduce");
  EXPECT_DOUBLE_EQ(trace->collectives[0].bytes, 4096);
}

TEST_F(TraceImport, ArgumentsOfCallersInTorchScriptAreLeftOut) {
  std::vector<test::Call> calls = test::small_network();
  for (test::Call& call : calls) {
    if (call.name != "aten::linear" && call.name != "aten::mm") continue;
    call.inputs.insert(call.inputs.begin(), {json{512, 2112}, json{512}});
  }
  expect_small_network(test::kineto_trace(calls));
}

TEST_F(TraceImport, ProductsOfOptimizersAreNoLayers) {
  std::vector<test::Call> calls = test::small_network();
  calls.push_back({"aten::mm", -1, {{256, 256}, {256, 256}}, {256, 256}, 1, 30});
  const double start = 100.0 * static_cast<double>(calls.size() - 1);
  const json step = {{"ph", "X"},
                     {"cat", "user_annotation"},
                     {"name", "Optimizer.step#Shampoo"},
                     {"ts", start},
                     {"dur", 95.0},
                     {"tid", 1}};
  expect_small_network(test::with_events(test::kineto_trace(calls), {step}));
}

TEST_F(TraceImport, KernelsTellPrecisionShareAndLaunches) {
  const auto trace = read(test::with_kernels(
      test::kineto_trace(test::small_network()),
      "void cutlass::Kernel<cutlass_80_tensorop_s1688gemm_128x128_32x5_tn_align4>", 10));
  ASSERT_TRUE(trace);
  TracedNetworkOptions options{"small", "small.json", std::nullopt, {"a-gpu", {{"tf32", 1e10}}}, 0};
  const auto traced = network_of(*trace, options);
  ASSERT_TRUE(traced) << input::render(traced.error());
  const json network = json::parse(traced->network);
  // Three times 37,888 operations in six kernels of 10 us, at a peak of 10^10 a second.
  EXPECT_NEAR(network["achieved_share"]["tf32"]["value"].get<double>(), 113664 / 6e5, 1e-3);
  EXPECT_EQ(network["layers"][0]["kernels"], 2);
  EXPECT_EQ(network["layers"][1]["kernels"], 1);
  const json job = json::parse(traced->job);
  EXPECT_EQ(job["precision"], "tf32");
  EXPECT_TRUE(job.contains("kernel_launch_interval"));
  // The model adds 4 us for each of 3 kernels, three times: 24 us remain for the products.
  options.kernel_gap = 4e-6;
  const json with_gaps = json::parse(network_of(*trace, options)->network);
  EXPECT_NEAR(with_gaps["achieved_share"]["tf32"]["value"].get<double>(), 113664 / 2.4e5, 1e-3);
  options.gpu.peaks["tf32"] = 1e9;
  const auto faster = network_of(*trace, options);
  ASSERT_FALSE(faster) << "a GPU is not faster than its peak";
  EXPECT_THAT(input::render(faster.error()), HasSubstr("E604"));
}

TEST_F(TraceImport, CollectivesThatSumUpOtherGradientsAreAContradiction) {
  const auto sum_of = [](int elements) {
    return test::with_events(
        test::kineto_trace(test::small_network()),
        {{{"ph", "X"},
          {"cat", "user_annotation"},
          {"name", "nccl:all_reduce"},
          {"ts", 900},
          {"dur", 5},
          {"tid", 2},
          {"args",
           {{"Input Dims", json::array({json::array({elements})})}, {"Input type", {"float"}}}}}});
  };
  expect_small_network(sum_of(2686));
  expect_small_network(sum_of(1));  // a loss, with gradients accumulated
  const std::string refused = refusal(sum_of(5000));
  EXPECT_THAT(refused, HasSubstr("E604"));
  EXPECT_THAT(refused, HasSubstr("0.02 MB in a pass"));
  EXPECT_THAT(refused, HasSubstr("0.002686 million parameters"));
}

// The last layer of the small network begins at 400 us, its backward pass at 600 us.
TEST_F(TraceImport, SumsOfTensorParallelRanksAreNoGradients) {
  const std::string profile = test::kineto_trace(test::small_network());
  const std::vector<json> calls = {test::told_call("allreduce", 5e5, 250, "tensor"),
                                   test::told_call("allreduce", 5e5, 750, "tensor"),
                                   test::told_call("allreduce", 2686, 1650, "data")};
  const auto network = import(test::with_events(profile, calls));
  ASSERT_TRUE(network) << input::render(network.error());
  EXPECT_THAT(network->skipped, ::testing::Contains(HasSubstr("one of 4 ranks")));
  EXPECT_THAT(network->skipped, ::testing::Contains(HasSubstr("the 4 MB that these ranks")));
  // The data-parallel ranks must still be consistent.
  EXPECT_THAT(
      refusal(test::with_events(
          profile, {calls[0], calls[1], test::told_call("allreduce", 26860, 1650, "data")})),
      HasSubstr("contradicts itself: its collectives sum up 0.1074 MB"));
  EXPECT_THAT(refusal(test::with_events(profile, {test::told_call("allreduce", 5e5, 250, ""),
                                                  test::told_call("allreduce", 5e5, 750, "")})),
              HasSubstr("does not name their groups"));
}

TEST_F(TraceImport, ALossThatIsSharedMakesNoTensorParallelRanks) {
  const auto network = import(test::with_events(test::kineto_trace(test::small_network()),
                                                {test::told_call("allreduce", 1, 250, "all"),
                                                 test::told_call("allreduce", 2686, 1650, "all")}));
  ASSERT_TRUE(network) << input::render(network.error());
  EXPECT_THAT(network->skipped, Not(::testing::Contains(HasSubstr("tensor"))));
}

TEST_F(TraceImport, ProductsThatDoNotFitTheLayersAreAContradiction) {
  std::vector<test::Call> calls = test::small_network();
  calls.push_back({"aten::mm", -1, {{256, 256}, {256, 256}}, {256, 256}, 2, 30});
  EXPECT_THAT(refusal(test::execution_trace(calls, true)),
              HasSubstr("products of the backward pass"));
}

}  // namespace trace_import_test
}  // namespace vgsim::traces
