// Execution traces and profiles of the same run: tensors from one, times from the other.

#include "models/traces/paired_traces.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "models/traces/measured_pass.hpp"
#include "models/traces/trace_file.hpp"
#include "models/traces/traced_iteration.hpp"
#include "models/traces/traced_layers.hpp"
#include "models/traces/traced_network.hpp"
#include "tests/models/traces/trace_texts.hpp"
#include "tests/support/extra.hpp"
#include "tests/support/scratch.hpp"

namespace vgsim::traces {
namespace paired_traces_test {

using nlohmann::json;
using ::testing::HasSubstr;

constexpr const char* kKernel = "ampere_sgemm_128x64_tn";
const TracedGpu kGpu{"some-gpu", {{"fp32", 1e9}, {"tf32", 156e12}}};

Trace trace_of(const std::string& text) {
  const test::Scratch scratch;
  const std::string path = scratch.file("trace");
  std::ofstream(path, std::ios::binary) << text;
  auto trace = read_trace_file(path);
  EXPECT_TRUE(trace) << (trace ? "" : input::render(trace.error()));
  return trace ? *trace : Trace();
}

/// A profile with that number of passes, without shapes.
Trace profile(const std::vector<test::Call>& calls, std::size_t passes) {
  std::vector<test::Call> all;
  for (std::size_t pass = 0; pass < passes; ++pass) {
    const int first = static_cast<int>(all.size());
    for (test::Call call : calls) {
      if (call.parent >= 0) call.parent += first;
      all.push_back(std::move(call));
    }
  }
  return trace_of(test::with_kernels(test::kineto_trace(all, false), kKernel, 100));
}

TEST(PairedTraces, TellWhatAProfileWithShapesTells) {
  const auto calls = test::small_network();
  const Trace whole = trace_of(test::with_kernels(test::kineto_trace(calls), kKernel, 100));
  for (const bool chakra : {true, false}) {
    const auto paired =
        with_shapes(profile(calls, 3), trace_of(test::execution_trace(calls, chakra)), "p");
    ASSERT_TRUE(paired);
    EXPECT_EQ(paired->passes, 3U);
    const auto network = network_of(paired->trace, {"small", "p", std::nullopt, kGpu});
    const auto expected = network_of(whole, {"small", "p", std::nullopt, kGpu});
    ASSERT_TRUE(network && expected);
    const json paired_network = json::parse(network->network);
    const json expected_network = json::parse(expected->network);
    EXPECT_EQ(paired_network["layers"], expected_network["layers"]);
    EXPECT_EQ(paired_network["achieved_share"], expected_network["achieved_share"]);
    EXPECT_THAT(network->found, ::testing::Contains(HasSubstr("(median of 3)")));
    EXPECT_THAT(network->found.front(), HasSubstr("execution trace"));
  }
}

TEST(PairedTraces, MarksOfUsersDoNotMatter) {
  auto calls = test::small_network();
  calls.insert(calls.begin(), {"## forward ##"});
  for (std::size_t i = 1; i < calls.size(); ++i) {
    if (calls[i].parent >= 0) ++calls[i].parent;
  }
  const auto paired = with_shapes(profile(test::small_network(), 1),
                                  trace_of(test::execution_trace(calls, true)), "p");
  ASSERT_TRUE(paired);
  EXPECT_EQ(paired->passes, 1U);
}

TEST(PairedTraces, OfAnotherNetworkAreRefused) {
  auto calls = test::small_network();
  calls[2].name = "aten::group_norm";
  const auto paired = with_shapes(profile(test::small_network(), 1),
                                  trace_of(test::execution_trace(calls, true)), "other.json");
  ASSERT_FALSE(paired);
  EXPECT_THAT(input::render(paired.error()), HasSubstr("E605"));
  EXPECT_THAT(input::render(paired.error()), HasSubstr("other.json"));
  EXPECT_FALSE(with_shapes(profile(test::small_network(), 1), Trace(), "empty.json"));
}

/// A trace truncated before that operation.
Trace until(Trace trace, std::size_t last) {
  trace.operations.resize(last);
  std::erase_if(trace.kernels, [&](const TracedKernel& kernel) {
    return !kernel.operation || *kernel.operation >= last;
  });
  std::erase_if(trace.collectives, [&](const auto& call) { return call.operation >= last; });
  return trace;
}

/// Predicted seconds of a pass of a network and job that were read from a trace.
double modelled_seconds(const TracedNetwork& traced, const TracedGpu& gpu, double kernel_gap) {
  const json network = json::parse(traced.network);
  double flops = 0;
  double kernels = 0;
  for (const json& layer : network["layers"]) {
    kernels += layer.value("kernels", 0.0);
    if (!layer.contains("forward_flops")) continue;
    flops += std::stod(layer["forward_flops"]["per_sample"].get<std::string>());
  }
  flops *= json::parse(traced.job)["batch_per_gpu"].get<double>();
  const auto share = network["achieved_share"].begin();
  return 3 * (flops / (gpu.peaks.at(share.key()) * (*share)["value"].get<double>()) +
              kernel_gap * kernels);
}

struct Pair {
  const char* execution;
  const char* profile;
  TracedGpu gpu;
  std::size_t passes;
};

class ExtraPairedTraces : public ::testing::TestWithParam<Pair> {
 protected:
  void SetUp() override { test::skip_without_extra_files(); }

  static Trace shared(const std::string& name) {
    auto trace = read_trace_file((test::extra_files() / "traces" / name).string());
    EXPECT_TRUE(trace) << name;
    return trace ? std::move(*trace) : Trace();
  }
};

TEST_P(ExtraPairedTraces, WhatOnePassTellsPredictsTheOthers) {
  const auto& [execution, profile, gpu, count] = GetParam();
  constexpr double kGap = 1.5e-6;
  const auto paired = with_shapes(shared(profile), shared(execution), profile);
  ASSERT_TRUE(paired) << input::render(paired.error());
  EXPECT_EQ(paired->passes, count);
  const TracedPasses all = passes_of(paired->trace);
  ASSERT_EQ(all.passes.size(), count);
  const auto first =
      network_of(until(paired->trace, all.passes[1].first), {"n", "n", std::nullopt, gpu, kGap});
  ASSERT_TRUE(first) << input::render(first.error());
  const double predicted = modelled_seconds(*first, gpu, kGap);
  for (std::size_t i = 1; i < count; ++i) {
    const TracedIteration& pass = all.passes[i];
    const auto layers = layers_of(pass, samples_of(pass)).layers;
    const auto measured = measured_pass(paired->trace, {{pass}, all.phases}, pass, layers);
    ASSERT_TRUE(measured);
    EXPECT_NEAR(predicted / measured->seconds, 1.0, 0.15) << "pass " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(
    ExtraTraces, ExtraPairedTraces,
    ::testing::Values(Pair{"chakra/param-linear_et.json.gz",
                           "kineto/param-linear_kineto.json.gz",
                           {"rtx-2080-ti", {{"fp32", 13.45e12}}},
                           39},
                      Pair{"chakra/param-1.0.3-chakra.0.0.4-resnet_1gpu_et.json.gz",
                           "kineto/hta-nccl_parser_config-nccl_data.json.gz",
                           {"a100-sxm4-40gb", {{"fp32", 19.5e12}, {"tf32", 156e12}}},
                           3}));

}  // namespace paired_traces_test
}  // namespace vgsim::traces
