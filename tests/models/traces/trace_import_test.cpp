// Networks from traces: one small network in every form that a trace may have.

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

  /// The network, as jobs read it.
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
    // What conv, norm and linear read.
    EXPECT_EQ(small.layers[0].activations.per_sample, 3 * 64 + 4 * 64);
    EXPECT_EQ(small.layers[1].activations.per_sample, 256);
  }

  const test::Scratch scratch_;
  const std::string path_ = scratch_.file("trace");
};

std::string message(const std::string& body) {
  std::string out;
  protozero::write_varint(std::back_inserter(out), body.size());
  return out + body;
}

/// Lists as Python prints them.
std::string python(const nlohmann::json& list) {
  std::string text = list.dump();
  for (char& c : text) {
    if (c == '"') c = '\'';
  }
  return text;
}

/// As Chakra's converter writes it: operations in pieces, without those that start no kernel.
std::string chakra_trace() {
  std::string metadata;
  protozero::pbf_writer(metadata).add_string(1, "0.0.4");
  std::string file = message(metadata);
  std::uint64_t id = 0;
  for (const test::Call& call : test::small_network()) {
    if (call.parent >= 0 || call.name.find("::evaluate_function") != std::string::npos) continue;
    for (const char* piece : {"(0)", "(1)"}) {
      nlohmann::json values = nlohmann::json::array();
      nlohmann::json shapes = nlohmann::json::array();
      nlohmann::json types = nlohmann::json::array();
      for (const auto& input : call.inputs) {
        values.push_back(input.is_array() ? nlohmann::json{values.empty() ? call.tensor : 0}
                                          : input);
        shapes.push_back(input.is_array() ? input : nlohmann::json::array());
        types.push_back(input.is_array() ? "Tensor(float)" : "Int");
      }
      std::string tensors;
      protozero::pbf_writer io(tensors);
      io.add_string(1, python(values));
      io.add_string(2, python(shapes));
      io.add_string(3, python(types));
      std::string outputs;
      protozero::pbf_writer(outputs).add_string(2, python(nlohmann::json::array({call.output})));
      std::string thread;
      protozero::pbf_writer attribute(thread);
      attribute.add_string(1, "tid");
      attribute.add_int64(9, call.thread);
      std::string node;
      protozero::pbf_writer writer(node);
      writer.add_uint64(1, ++id);
      writer.add_string(2, call.name + piece);
      writer.add_enum(3, 4);
      writer.add_message(8, tensors);
      writer.add_message(9, outputs);
      writer.add_message(10, thread);
      file += message(node);
    }
  }
  return file;
}

TEST_F(TraceImport, ExecutionTracesTellLayersOfEitherForm) {
  expect_small_network(test::execution_trace(test::small_network(), true));
  expect_small_network(test::execution_trace(test::small_network(), false));
}

TEST_F(TraceImport, ProfilesWithShapesTellTheSame) {
  expect_small_network(test::kineto_trace(test::small_network()));
}

TEST_F(TraceImport, ChakraTracesTellTheSame) { expect_small_network(chakra_trace()); }

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
  EXPECT_THAT(traced->skipped, ::testing::ElementsAre(HasSubstr("1 weights without a gradient")));
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

}  // namespace trace_import_test
}  // namespace vgsim::traces
