// Training that is split by more than its data: published volumes, tables and verdicts on memory.

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "models/kernels/kernel_gpu.hpp"
#include "models/kernels/matrix_product.hpp"
#include "tests/support/scenarios.hpp"

namespace vgsim {
namespace parallel_run_test {

using nlohmann::json;
using scenario::LayoutResult;

constexpr const char* kDgx = R"("server": "dgx-a100", "gpus": "8 x a100-sxm4-80gb",
    "nics": {"mlx5_[0-7]": {"nic": "connectx-6-hdr-200g", "near": "gpu[0-7]"}})";

/// A job on `hosts` DGX A100.
LayoutResult on_dgx(int hosts, const json& job, const std::string& more = "") {
  return test::run_one(R"({"name": "parallel", "hosts": {"n[001-)" +
                       std::string(3 - std::to_string(hosts).size(), '0') + std::to_string(hosts) +
                       "]\": {" + kDgx + R"(}}, "job": )" + job.dump() + more + "}");
}

json gpt(std::int64_t layers, std::int64_t hidden, std::int64_t heads) {
  return {{"name", "GPT"},
          {"sample", {{"sequence_length", 2048}}},
          {"transformer",
           {{"layers", layers},
            {"hidden", hidden},
            {"heads", heads},
            {"vocabulary", 51200},
            {"learned_positions", 2048},
            {"tied_output", true}}}};
}

void expect_parts_add_up(const LayoutResult& result) {
  const auto& t = *result.training;
  EXPECT_EQ(t.compute + t.exposed_communication + t.data_wait + t.optimizer + t.pipeline_wait,
            t.iteration);
  SimTime parts{};
  for (const auto& [axis, time] : t.communication) parts += time;
  EXPECT_EQ(parts, t.exposed_communication);
}

TEST(ParallelRun, PartsAddUpToTheIteration) {
  for (const json& parallel :
       {json{{"tensor", 8}}, json{{"pipeline", 4}}, json{{"tensor", 2}, {"pipeline", 2}},
        json{{"context", 4}}, json{{"sharding", "zero3"}}, json{{"sharding", "zero1"}},
        json{{"tensor", 4}, {"sequence", true}, {"pipeline", 2}, {"virtual_stages", 3}}}) {
    SCOPED_TRACE(parallel.dump());
    expect_parts_add_up(on_dgx(2, {{"network", gpt(12, 1024, 16)},
                                   {"parallel", parallel},
                                   {"global_batch", 64},
                                   {"micro_batch", 2},
                                   {"samples_per_epoch", 6400}}));
  }
}

TEST(ParallelRun, ShardingMovesThePublishedVolumes) {
  // ZeRO: DDP sends 2 Psi (N - 1) / N; stages 1 and 2 as much, stage 3 half as much again. In one
  // type, so that weights and gradients weigh the same.
  const auto sent = [](const char* sharding) {
    const auto result = on_dgx(2, {{"network", gpt(12, 1024, 16)},
                                   {"parallel", {{"sharding", sharding}}},
                                   {"micro_batch", 2},
                                   {"gradients", "fp16"},
                                   {"samples_per_epoch", 6400}});
    return result.training->sent_bytes.at("data parallel");
  };
  const double ddp = sent("none");
  EXPECT_NEAR(sent("zero1") / ddp, 1.0, 1e-6);
  EXPECT_NEAR(sent("zero2") / ddp, 1.0, 1e-6);
  EXPECT_NEAR(sent("zero3") / ddp, 1.5, 1e-6);
}

/// Bytes that leave a host through its NICs in an iteration.
double out_of_a_host(const LayoutResult& result) {
  double sum = 0;
  for (const scenario::LinkUse& link : result.links) {
    const bool leaves = link.kind == "nic" && link.resource.starts_with("n001/") &&
                        link.resource.find("-> leaf") != std::string::npos;
    if (leaves) sum += link.bytes * static_cast<double>(link.links) / 2;
  }
  return sum;
}

TEST(ParallelRun, LinksCarryTheClosedFormsOfFlatAndHybridSharding) {
  // A copy shared out among N ranks, in a ring over two hosts: each of them lets (N - 1) / N of the
  // size out for each gathering and each reduction, which are three in a micro-batch. A copy in
  // each host: the same part of it on both sums twice half of it, in both directions. All pieces
  // are large, so that NCCL takes its protocol Simple, which sends nothing but payload.
  json network = gpt(4, 8192, 64);
  network["transformer"]["final_norm"] = false;
  const auto run = [&](const json& parallel) {
    return on_dgx(2, {{"network", network},
                      {"parallel", parallel},
                      {"micro_batch", 2},
                      {"accumulation", 3},
                      {"gradients", "fp16"},
                      {"weights", "16bit"},
                      {"samples_per_epoch", 6400}});
  };
  const LayoutResult flat = run({{"sharding", "fsdp"}});
  const double size = flat.training->gradient_bytes;
  EXPECT_NEAR(out_of_a_host(flat), 3 * 3 * size * 15 / 16, 1.0);
  const LayoutResult hybrid = run({{"sharding", "fsdp"}, {"shard_size", 8}});
  EXPECT_NEAR(out_of_a_host(hybrid), 3 * size, 1.0);
  EXPECT_NEAR(hybrid.training->sent_bytes.at("data parallel, in shards"), 3 * 3 * size * 7 / 8,
              1.0);
  EXPECT_NEAR(hybrid.training->sent_bytes.at("data parallel, between copies"), 3 * size / 8, 1.0);
  const LayoutResult once =
      run({{"sharding", "fsdp"}, {"shard_size", 8}, {"gradient_sync", "last-between-copies"}});
  EXPECT_NEAR(out_of_a_host(once), size, 1.0);
  const LayoutResult again = run({{"sharding", "fsdp"}, {"reshard_after_forward", 8}});
  EXPECT_NEAR(out_of_a_host(again), 3 * 2 * size * 15 / 16, 1.0) << "one of three stays inside";
  const LayoutResult last = run({{"sharding", "fsdp"}, {"gradient_sync", "last"}});
  EXPECT_NEAR(out_of_a_host(last), (3 * 2 + 1) * size * 15 / 16, 1.0);
}

/// Bytes on the NVLinks of one GPU towards its NVSwitches in an iteration.
double out_of_a_gpu(const LayoutResult& result) {
  for (const scenario::LinkUse& link : result.links) {
    if (link.kind == "nvlink" && link.resource.ends_with("-> n001/nvswitch")) return link.bytes;
  }
  return 0;
}

TEST(ParallelRun, LinksCarryTheClosedFormsOfTensorAndPipelineParallelism) {
  const double tokens = 2 * 2048;
  const double activations = 2.0 * tokens * 8192;
  json network = gpt(8, 8192, 64);
  const auto run = [&](int hosts, const json& parallel) {
    return on_dgx(hosts, {{"network", network},
                          {"parallel", parallel},
                          {"micro_batch", 2},
                          {"accumulation", 3},
                          {"samples_per_epoch", 6400}});
  };
  // Rings inside a host: each rank sends 2 (N - 1) / N of what is summed; four sums a block, one of
  // the embedding and one of the output (M. Shoeybi et al., 2019).
  const double sums = 3 * (4 * 8 + 2) * activations * 2 * 7 / 8;
  EXPECT_NEAR(out_of_a_gpu(run(1, {{"tensor", 8}})), sums, 1.0);
  // Split by tokens, a sum is a ReduceScatter and an AllGather of the same size; beside gradients
  // what a product takes is gathered once more (V. Korthikanti et al., 2022, section 4.2.2).
  const json split = {{"tensor", 8}, {"sequence", true}, {"tensor_overlap", "none"}};
  EXPECT_NEAR(out_of_a_gpu(run(1, split)), sums, 1.0);
  EXPECT_NEAR(out_of_a_gpu(run(1, {{"tensor", 8}, {"sequence", true}})), sums * 5 / 4, 1.0);
  // Between stages on two hosts the activations of a micro-batch go one way and their gradients
  // come back; all ranks of a stage send their part.
  EXPECT_NEAR(out_of_a_host(run(2, {{"tensor", 8}, {"pipeline", 2}})), 3 * activations, 1.0);
  EXPECT_NEAR(out_of_a_host(run(2, {{"tensor", 8}, {"pipeline", 2}, {"schedule", "zero-bubble"}})),
              3 * activations, 1.0);
}

TEST(ParallelRun, ShardedNothingIsDataParallel) {
  const auto run = [](const json& parallel) {
    json job = {{"network", gpt(12, 1024, 16)},
                {"micro_batch", 2},
                {"weights", "16bit"},
                {"samples_per_epoch", 6400}};
    if (!parallel.is_null()) job["parallel"] = parallel;
    return on_dgx(2, job).training->iteration;
  };
  EXPECT_EQ(run("zero0"), run(nullptr));
  EXPECT_EQ(run({{"sharding", "zero0"}, {"data", 16}}), run(nullptr));
}

TEST(ParallelRun, TensorParallelRanksSumFourTimesABlockAndMicroBatch) {
  // M. Shoeybi et al., Megatron-LM, 2019: two sums forward and two backward in each block; and here
  // one of the embedding and one of the output.
  const auto result = on_dgx(1, {{"network", gpt(12, 1024, 16)},
                                 {"parallel", {{"tensor", 8}}},
                                 {"micro_batch", 4},
                                 {"global_batch", 4},
                                 {"samples_per_epoch", 400}});
  const double one = 2.0 * 4 * 2048 * 1024;
  EXPECT_NEAR(result.training->sent_bytes.at("tensor parallel"), (4 * 12 + 2) * one * 2 * 7 / 8,
              1.0);
}

TEST(ParallelRun, SumsBesideProductsMoveTheSameAndCostLess) {
  const auto run = [](bool overlap) {
    return on_dgx(1,
                  {{"network", gpt(12, 4096, 32)},
                   {"parallel", {{"tensor", 8}, {"sequence", true}, {"tensor_overlap", overlap}}},
                   {"micro_batch", 4},
                   {"global_batch", 8},
                   {"samples_per_epoch", 400}});
  };
  const LayoutResult after = run(false);
  const LayoutResult beside = run(true);
  EXPECT_EQ(beside.training->sent_bytes, after.training->sent_bytes);
  const auto exposed = [](const LayoutResult& result) {
    const auto found = result.training->communication.find("tensor parallel");
    return found == result.training->communication.end() ? 0.0 : to_seconds(found->second);
  };
  EXPECT_LT(exposed(beside), exposed(after) / 2);
  EXPECT_GE(beside.training->iteration, beside.training->compute);
}

TEST(ParallelRun, SumsOfABackwardPassHideBehindGradientsOfWeights) {
  const auto run = [](bool sequence, const char* overlap) {
    return on_dgx(
        1, {{"network", gpt(12, 4096, 32)},
            {"parallel", {{"tensor", 8}, {"sequence", sequence}, {"tensor_overlap", overlap}}},
            {"micro_batch", 4},
            {"global_batch", 8},
            {"samples_per_epoch", 400}});
  };
  const auto sent = [](const LayoutResult& result) {
    return result.training->sent_bytes.at("tensor parallel");
  };
  // Without the kernels that overlapped sums slow down.
  const auto exposed = [](const LayoutResult& result) {
    return to_seconds(result.training->communication.at("tensor parallel") -
                      result.training->kernels_slowed);
  };
  const LayoutResult after = run(false, "none");
  const LayoutResult beside = run(false, "gradients");
  EXPECT_EQ(sent(beside), sent(after));
  // Of the sums forward and backward in each half of a block and those of embedding and output one
  // half is left.
  EXPECT_NEAR(exposed(beside) / exposed(after), 0.5, 0.02);
  // Sequences: one gather and one scatter forward; backward one gather that all wait for, and one
  // of each beside gradients. A block has two halves; the embedding sums forward, the output back.
  const double whole = sent(run(true, "none"));
  EXPECT_NEAR(sent(run(true, "gradients")) / whole, (24 * (2 + 3) + 2 + 3) / (25.0 * 4), 1e-9);
}

TEST(ParallelRun, StagesComputeAsFastAsTheirOwnGpus) {
  // Two equal stages of 1F1B take m + 1 times as long as one of them; of unequal ones the slower
  // computes m times, and waits at most once for the faster.
  constexpr std::int64_t kMicroBatches = 16;
  const auto on = [&](const char* first, const char* second) {
    const auto host = [](const std::string& gpu) {
      const std::string server = gpu.starts_with("h100") ? "dgx-h100" : "dgx-a100";
      return R"({"server": ")" + server + R"(", "gpus": "8 x )" + gpu + R"(", "nics": {
          "mlx5_[0-7]": {"nic": "connectx-6-hdr-200g", "near": "gpu[0-7]"}}})";
    };
    json network = gpt(8, 4096, 32);  // in equal stages
    network["transformer"].erase("tied_output");
    network["transformer"]["output"] = "none";
    const json job = {{"network", network},
                      {"parallel", {{"tensor", 8}, {"pipeline", 2}}},
                      {"micro_batch", 4},
                      {"global_batch", 4 * kMicroBatches},
                      {"samples_per_epoch", 6400}};
    const LayoutResult result = test::run_one(
        R"({"name": "kinds", "hosts": {"n001": )" + host(first) + R"(, "n002": )" + host(second) +
        R"(}, "idealise": {"latency": "zero"}, "job": )" + job.dump() + "}");
    return to_seconds(result.training->iteration - result.training->optimizer);
  };
  const double slow = on("a100-sxm4-40gb", "a100-sxm4-40gb") / (kMicroBatches + 1);
  const double fast = on("h100-sxm5-80gb", "h100-sxm5-80gb") / (kMicroBatches + 1);
  ASSERT_LT(fast, slow * 0.7);
  const double mixed = on("a100-sxm4-40gb", "h100-sxm5-80gb");
  EXPECT_GT(mixed, kMicroBatches * slow - fast / 2);
  EXPECT_LT(mixed, kMicroBatches * slow + fast);
}

TEST(ParallelRun, RingsAndHeadsSendTheClosedFormsOfContextParallelism) {
  // Of a block of width h each of C ranks has T / C tokens. Rings: keys and values of all others
  // pass it, going forward once and backward twice. Heads: of queries, keys, values and results all
  // but its own part, once each way.
  const auto sent = [](const char* exchange) {
    const auto result = on_dgx(1, {{"network", gpt(6, 2048, 16)},
                                   {"parallel", {{"context", 4}, {"context_exchange", exchange}}},
                                   {"micro_batch", 1},
                                   {"samples_per_epoch", 400}});
    return result.training->sent_bytes.at("context parallel");
  };
  const double own = 2.0 * 2048 / 4 * 2048;  // bytes of a rank's tokens at full width
  EXPECT_NEAR(sent("ring"), 6 * 3 * (4 - 1) * 2 * own, 1.0);
  EXPECT_NEAR(sent("heads"), 6 * 2 * 4 * own * 3 / 4, 1.0);
}

TEST(ParallelRun, AllWaitForTheBusiestExpert) {
  const auto run = [](double imbalance) {
    return on_dgx(
        1,
        {{"network", "mixtral-8x7b"},
         {"parallel", {{"expert", 8}, {"sharding", "zero1"}, {"expert_imbalance", imbalance}}},
         {"micro_batch", 1},
         {"samples_per_epoch", 400}},
        R"(, "idealise": {"memory": "unlimited"})");
  };
  const LayoutResult even = run(1.0);
  const LayoutResult uneven = run(1.5);
  EXPECT_NEAR(uneven.training->sent_bytes.at("expert parallel"),
              1.5 * even.training->sent_bytes.at("expert parallel"), 64.0);
  EXPECT_GT(uneven.training->compute, even.training->compute);
  EXPECT_LT(to_seconds(uneven.training->compute), 1.5 * to_seconds(even.training->compute));
}

TEST(ParallelRun, CopiesOfANetworkWithExpertsHoldThemToo) {
  const auto result = on_dgx(2,
                             {{"network", "mixtral-8x7b"},
                              {"parallel", {{"sharding", "fsdp"}, {"shard_size", 8}}},
                              {"micro_batch", 1},
                              {"gradients", "fp16"},
                              {"samples_per_epoch", 400}},
                             R"(, "idealise": {"memory": "unlimited"})");
  const double size =
      2.0 * static_cast<double>(test::library().networks->at("mixtral-8x7b").parameters());
  const auto& sent = result.training->sent_bytes;
  EXPECT_EQ(sent.size(), 2U) << "nothing goes over all ranks";
  EXPECT_NEAR(sent.at("data parallel, in shards"), 3 * size * 7 / 8, 1e-6 * size);
  EXPECT_NEAR(sent.at("data parallel, between copies"), size / 8, 1e-6 * size);
}

TEST(ParallelRun, TheZeroBubbleScheduleComputesTheSameInLessTime) {
  const auto run = [](const char* schedule) {
    return on_dgx(1, {{"network", gpt(16, 4096, 32)},
                      {"parallel", {{"pipeline", 8}, {"schedule", schedule}}},
                      {"micro_batch", 1},
                      {"global_batch", 16},
                      {"samples_per_epoch", 640}});
  };
  const LayoutResult plain = run("1f1b");
  const LayoutResult zero = run("zero-bubble");
  EXPECT_NEAR(to_seconds(zero.training->compute), to_seconds(plain.training->compute),
              to_seconds(plain.training->compute) * 0.1)
      << "of whichever stage is shown";
  // Equal stages would lose 2 (p - 1) T_W of the bubble; embedding and output make them unequal,
  // and the stages with less to do wait either way.
  EXPECT_LT(to_seconds(zero.training->pipeline_wait),
            to_seconds(plain.training->pipeline_wait) * 0.8);
  EXPECT_LT(zero.training->iteration, plain.training->iteration);
}

TEST(ParallelRun, ManyMicroBatchesTakeWhatAllOfThemTakeOneByOne) {
  // A part of them is run where the others repeat it; and here all.
  for (const json& parallel :
       {json{{"tensor", 2}, {"pipeline", 4}}, json{{"sharding", "fsdp"}, {"shard_size", 8}},
        json{{"tensor", 8},
             {"pipeline", 2},
             {"virtual_stages", 2},
             {"sharding", "fsdp"},
             {"reshard_after_forward", true}},
        json{{"pipeline", 4}, {"schedule", "gpipe"}, {"sharding", "zero2"}},
        json{{"pipeline", 4}, {"schedule", "zero-bubble"}}, json{{"context", 4}}}) {
    SCOPED_TRACE(parallel.dump());
    const auto run = [&](bool find_repeat) {
      scenario::RunSettings settings;
      settings.find_repeat = find_repeat;
      const json scenario = {{"name", "micro-batches"},
                             {"hosts", {{"n[1-2]", json::parse(std::string("{") + kDgx + "}")}}},
                             {"job",
                              {{"network", gpt(16, 2048, 32)},
                               {"parallel", parallel},
                               {"micro_batch", 1},
                               {"accumulation", 24},
                               {"iterations_per_epoch", 1}}},
                             {"idealise", {{"memory", "unlimited"}}}};
      return to_seconds(test::run_one(scenario.dump(), settings).training->iteration);
    };
    EXPECT_NEAR(run(true) / run(false), 1.0, 1e-3);
  }
}

/// At the end of an epoch nothing is fetched any more that gradients could meet on a link: that is
/// not the iteration which the others repeat.
TEST(ParallelRun, AnIterationFetchesInputHoweverManyAreRun) {
  const auto iteration = [](bool find_repeat) {
    scenario::RunSettings settings;
    settings.find_repeat = find_repeat;
    const json scenario = {
        {"name", "to the end"},
        {"hosts",
         {{"h[1-2]",
           {{"server", "dell-xe9680"},
            {"gpus", "8 x h100-sxm5-80gb"},
            {"nics", {{"n[0-7]", {{"nic", "connectx-7-ndr-400g"}, {"near", "gpu[0-7]"}}}}}}}}},
        {"job",
         {{"network", "llama-3-8b"},
          {"sequence_length", 8192},
          {"precision", "bf16"},
          {"global_batch", 128},
          {"micro_batch", 1},
          {"recompute", "full"},
          {"parallel", {{"sharding", "zero1"}}},
          {"iterations_per_epoch", 20}}},
        {"idealise", {{"memory", "unlimited"}}}};
    return test::run_one(scenario.dump(), settings).training->iteration;
  };
  EXPECT_EQ(iteration(true), iteration(false));
}

TEST(ParallelRun, SplitsThatCannotBeAreRefusedWithAllTheirReasons) {
  const auto refusal = [](json job) {
    job["network"] = gpt(16, 2048, 32);
    job["samples_per_epoch"] = 6400;
    const json scenario = {{"name", "refused"},
                           {"hosts", {{"n1", json::parse(std::string("{") + kDgx + "}")}}},
                           {"job", std::move(job)}};
    const auto result = test::try_run(scenario.dump());
    return result ? std::string() : input::render(result.error());
  };
  const auto has = [](const std::string& text, const char* words) {
    return text.find(words) != std::string::npos;
  };
  const json interleaved = {{"pipeline", 4}, {"virtual_stages", 2}};
  for (const json& batch : {json{{"accumulation", 6}}, json{{"global_batch", 12}}}) {
    json job = batch;
    job["micro_batch"] = 1;
    job["parallel"] = interleaved;
    EXPECT_TRUE(has(refusal(job), "6 micro-batches are not a multiple of 4 stages"))
        << refusal(job);
  }
  const std::string all = refusal({{"parallel",
                                    {{"pipeline", 2},
                                     {"virtual_stages", 2},
                                     {"schedule", "zero-bubble"},
                                     {"shard_size", 3},
                                     {"gradient_sync", "last"},
                                     {"tensor_overlap", true},
                                     {"expert_imbalance", 2},
                                     {"reshard_after_forward", 2}}},
                                   {"micro_batch", 1}});
  for (const char* reason :
       {"only one model chunk per stage", "nothing is sharded", "no parameters are sharded",
        "gradients are not sharded", "tensor-parallel reductions", "needs expert parallelism"}) {
    EXPECT_TRUE(has(all, reason)) << reason << "\n" << all;
  }
}

TEST(ParallelRun, TokensSayHowLongTrainingIs) {
  const auto result = on_dgx(1, {{"network", gpt(12, 1024, 16)},
                                 {"parallel", "zero1"},
                                 {"micro_batch", 4},
                                 {"tokens", 300'000'000}});
  const auto& t = *result.training;
  const std::int64_t samples = (300'000'000 + 2047) / 2048;
  EXPECT_EQ(t.iterations_per_epoch, (samples + 31) / 32);
  EXPECT_DOUBLE_EQ(t.tokens_per_s(), t.samples_per_s * 2048);
  // PaLM, appendix B: 6 N + 12 L h T operations a token, N with the output and without positions.
  const double n = 12.0 * 12 * 1024 * 1024 + 51200.0 * 1024;
  const double a_token = 6 * n + 12.0 * 12 * 1024 * 2048;
  EXPECT_NEAR(*t.model_flops_utilization, t.tokens_per_s() / 8 * a_token / 312e12,
              *t.model_flops_utilization * 0.005);
}

TEST(ParallelRun, GroupsOfOneGpuAHostTakeTheNicsOfAllOfThem) {
  // Two GPUs and two NICs below each PCIe switch: with tensor parallelism over the host, gradients
  // of each GPU's part are reduced by a separate group, all at once.
  const auto reduced = [](const char* nics) {
    const auto result = test::run_one(
        R"({"name": "nics", "hosts": {"h[1-2]": {"server": "dgx-a100",
        "gpus": "8 x a100-sxm4-80gb", "nics": )" +
        std::string(nics) + R"(}}, "fabric": {"kind": "single-switch", "switch": "qm8700"},
        "job": {"network": )" +
        gpt(12, 4096, 32).dump() + R"(, "parallel": {"tensor": 8}, "micro_batch": 1,
        "overlap": false, "samples_per_epoch": 100}})");
    return to_seconds(result.training->communication.at("data parallel"));
  };
  const double eight =
      reduced(R"({"mlx5_[0-7]": {"nic": "connectx-6-hdr-200g", "near": "gpu[0-7]"}})");
  const double four = reduced(R"({"a": {"nic": "connectx-6-hdr-200g", "near": "gpu0"},
      "b": {"nic": "connectx-6-hdr-200g", "near": "gpu2"},
      "c": {"nic": "connectx-6-hdr-200g", "near": "gpu4"},
      "d": {"nic": "connectx-6-hdr-200g", "near": "gpu6"}})");
  EXPECT_GT(four / eight, 1.7) << "twice, but for latencies";
  EXPECT_LE(four / eight, 2.0);
}

TEST(ParallelRun, MoreMicroBatchesMakeTheBubbleASmallerPart) {
  double before = 1.0;
  for (const int batch : {8, 16, 32, 64}) {
    const auto result = on_dgx(1, {{"network", gpt(16, 1024, 16)},
                                   {"parallel", {{"pipeline", 8}}},
                                   {"micro_batch", 1},
                                   {"global_batch", batch},
                                   {"samples_per_epoch", 640}});
    const double part =
        to_seconds(result.training->pipeline_wait) / to_seconds(result.training->iteration);
    EXPECT_LT(part, before);
    before = part;
  }
}

TEST(ParallelRun, MeetsMegatronsTableWithTheSharesOfAllMachines) {
  std::ifstream file(std::string(VGSIM_SOURCE_DIR) +
                     "/tests/models/scenario/run/megatron_table_1.json");
  const json table = json::parse(file);
  std::vector<double> errors;
  for (const json& row : table.at("rows")) {
    const auto result =
        on_dgx(row.at("hosts"),
               {{"network", gpt(row.at("layers"), row.at("hidden"), row.at("heads"))},
                {"precision", "fp16"},
                {"gradients", "fp16"},
                {"global_batch", row.at("global_batch")},
                {"micro_batch", row.at("micro_batch")},
                {"recompute", "full"},
                {"flash_attention", false},
                {"software", "tuned"},  // section 4.2 of the paper: fused kernels
                {"overlap", false},
                {"parallel",
                 {{"tensor", row.at("tensor")},
                  {"pipeline", row.at("pipeline")},
                  {"virtual_stages", row.at("virtual_stages")}}},
                {"samples_per_epoch", 1000000}},
               R"(, "fabric": {"kind": "single-switch", "switch": "qm8700"})");
    ASSERT_TRUE(result.training) << row.at("name");
    const double b = row.at("global_batch");
    const double l = row.at("layers");
    const double h = row.at("hidden");
    const double operations =
        96 * b * 2048 * l * h * h * (1 + 2048 / (6 * h) + 51200 / (16 * l * h));
    const double gpus = 8.0 * row.at("hosts").get<double>();
    const double found = operations / to_seconds(result.training->iteration) / gpus / 1e12;
    const double measured = row.at("tflops_per_gpu");
    errors.push_back(std::abs(found / measured - 1));
    EXPECT_LT(errors.back(), 0.25) << row.at("name");
  }
  std::sort(errors.begin(), errors.end());
  EXPECT_LT(errors[errors.size() / 2], 0.10) << "median";
}

TEST(ParallelRun, LayersTakeTheTimeOfTheirProductsAndOfTheirTrafficToMemory) {
  // One A100: products as models/kernels has them alone, as much longer as half of the peak is less
  // than what the largest reach; each byte that a layer keeps written and read once forward and
  // twice backward at 0.9 of the memory's rate; a gap for each kernel except products. Half of
  // the scores are masked, at 0.58 of the peak, forward and 2.5 x backward.
  const auto result = test::run_one(R"({"name": "roof", "hosts": {"h": {"server": "generic-1gpu",
      "gpus": "1 x a100-pcie-80gb"}}, "job": {"network": )" +
                                    gpt(4, 2048, 16).dump() +
                                    R"(, "matrix_share": 0.5, "micro_batch": 8,
      "weights": "16bit", "recompute": "none", "samples_per_epoch": 100}})");
  const auto& parameters = test::library().parameters;
  const auto& gpu = test::library().catalog->gpus.at("a100-pcie-80gb");
  const auto own = kernels::kernel_gpu(gpu, "fp16", parameters);
  const auto constants = kernels::product_constants(parameters);
  const double tokens = 8.0 * 2048;
  const double h = 2048;
  const auto three = [&](double out, double in) {
    const auto one = [&](double m, double n, double k) {
      return kernels::seconds_of({m, n, k}, *own, constants);
    };
    return one(tokens, out, in) + one(tokens, in, out) + one(in, out, tokens);
  };
  const double alone =
      4 * (three(3 * h, h) + three(h, h) + three(4 * h, h) + three(h, 4 * h)) + three(51200, h);
  const double peak = static_cast<double>(gpu.peak.at("fp16").value.count());
  const double scores = 3.5 * 4 * 4 * 2048 * h / 2 * tokens / (0.58 * peak);
  const double gaps = 3 * (4 * (26 - 4) + 7 - 1) * to_seconds(parameters.time("kernel_gap"));
  // Elements a token: 17 h in a block, which writes no scores; h and h + 4 x 51200 around them.
  const double kept = 4 * 17 * h + 2 * h + 4 * 51200;
  const double expected =
      alone * std::min(own->sustained_share, constants.math_share) / 0.5 + scores + gaps +
      3 * 2 * 2 * kept * tokens / (0.9 * static_cast<double>(gpu.memory_bandwidth.value.count()));
  EXPECT_NEAR(to_seconds(result.training->compute), expected, expected * 1e-6);
}

TEST(ParallelRun, PyTorchComputesABlockAgainButForItsLastProduct) {
  // Of 24 h^2 a block and token the last product has 8; the output is not computed again. Without
  // what else a layer does, at a share of the peak.
  const auto compute = [](const char* recompute) {
    const auto result = on_dgx(1, {{"network", gpt(12, 4096, 32)},
                                   {"parallel", "fsdp"},
                                   {"achieved_share", 0.5},
                                   {"cuda_graphs", true},
                                   {"recompute", recompute},
                                   {"micro_batch", 2},
                                   {"samples_per_epoch", 1600}});
    return to_seconds(result.training->compute);
  };
  const double h = 4096;
  const double again = 12 * (16 * h * h + 4 * 2048 * h);
  const double once = 12 * (24 * h * h + 4 * 2048 * h) + 2 * h * 51200;
  EXPECT_NEAR(compute("full") / compute("none"), 1 + again / (3 * once), 0.01);
}

TEST(ParallelRun, SmallLayersWaitForTheirLaunches) {
  // One token: 26 kernels of a block forward and 52 backward, at the host's pace; 3 and 4 around
  // the blocks.
  json network = gpt(12, 256, 4);
  network["sample"]["sequence_length"] = 1;
  const auto result = test::run_one(R"({"name": "small", "hosts": {"h": {"server": "generic-1gpu",
      "gpus": "1 x a100-pcie-80gb"}}, "job": {"network": )" +
                                    network.dump() +
                                    R"(, "micro_batch": 1, "kernel_launch_interval": "30 us",
                      "samples_per_epoch": 100}})");
  EXPECT_NEAR(to_seconds(result.training->compute), 3 * (12 * 26 + 7) * 30e-6, 1e-7);
}

TEST(ParallelRun, TensorExchangesRunWhileTheGpuWaitsForLaunches) {
  const auto with = [](const char* interval) {
    return on_dgx(1, {{"network", gpt(12, 1024, 16)},
                      {"parallel", {{"tensor", 8}, {"tensor_overlap", "none"}}},
                      {"kernel_launch_interval", interval},
                      {"micro_batch", 1},
                      {"samples_per_epoch", 6400}});
  };
  const auto tensor = [](const LayoutResult& result) {
    const auto& all = result.training->communication;
    const auto found = all.find("tensor parallel");
    const SimTime slowed = result.training->kernels_slowed;
    return found == all.end() ? 0.0 : to_seconds(found->second - slowed);
  };
  EXPECT_GT(tensor(with("1 ns")), 0.0);
  // 26 launches of a block forward take longer than its kernels and both of its sums. Only the sum
  // of the embedding, a layer of one kernel, remains.
  EXPECT_LT(tensor(with("100 us")), tensor(with("1 ns")) / 12);
}

/// A job of ZeRO-1 on two hosts.
LayoutResult zero1(const json& parallel, const json& more = json::object()) {
  json job = {{"network", gpt(24, 2048, 16)},
              {"parallel", {{"sharding", "zero1"}}},
              {"micro_batch", 1},
              {"cuda_graphs", true},
              {"samples_per_epoch", 6400}};
  job["parallel"].update(parallel);
  job.update(more);
  return on_dgx(2, job);
}

TEST(ParallelRun, ParametersCanBeGatheredDuringTheNextForwardPass) {
  const LayoutResult before = zero1(json::object());
  const LayoutResult beside = zero1({{"overlap_gather", true}});
  EXPECT_EQ(beside.training->sent_bytes, before.training->sent_bytes);
  // Half of the traffic of such a job is its gathers: without overlap all of them are exposed.
  EXPECT_LT(to_seconds(beside.training->exposed_communication),
            0.75 * to_seconds(before.training->exposed_communication));
  expect_parts_add_up(beside);
}

TEST(ParallelRun, OneBucketOfAllParametersIsReducedAfterTheBackwardPass) {
  const LayoutResult one = zero1(json::object(), {{"buckets", {{"parameters", 2'000'000'000}}}});
  const LayoutResult single = zero1(json::object(), {{"buckets", "single"}});
  const LayoutResult many = zero1(json::object());
  EXPECT_EQ(one.training->iteration, single.training->iteration);
  EXPECT_LT(many.training->iteration, one.training->iteration);
  EXPECT_EQ(one.training->sent_bytes, many.training->sent_bytes);
}

TEST(ParallelRun, AnOffloadedOptimizerStepsInTheMemoryOfTheHost) {
  // Eight ranks share both sockets: gradients in 32 bits go over PCIe, weights in 16 come back, and
  // Adam moves 28 bytes a parameter.
  const auto& catalog = *test::library().catalog;
  const auto& lane = catalog.pcie.at(4);
  const double copies = static_cast<double>(lane.lane_rate.value.count()) * 16 *
                        lane.payload_share.value *
                        test::library().parameters.number("pcie_rate_factor");
  const auto& cpu = catalog.cpus.at("amd-rome");
  const double memory =
      static_cast<double>(cpu.memory_bandwidth.value.count()) * cpu.memory_share.value * 2 / 8;
  const double parameters = (24 * 12 * 2048.0 * 2048 + 51200 * 2048.0) / 16;
  const double expected = parameters * ((4 + 2) / copies + 28 / memory);
  const LayoutResult result = zero1(json::object(), {{"offload", {{"optimizer", true}}}});
  EXPECT_NEAR(to_seconds(result.training->optimizer), expected, 0.01 * expected);
}

TEST(ParallelRun, OffloadedActivationsCostTimeOnlyBeyondTheirPasses) {
  const auto computes = [](double share, const char* interval) {
    return to_seconds(zero1(json::object(), {{"offload", {{"activations", share}}},
                                             {"cuda_graphs", false},
                                             {"kernel_launch_interval", interval}})
                          .training->compute);
  };
  EXPECT_GT(computes(1, "1 ns"), 1.2 * computes(0, "1 ns"));
  // All but the embedding and the loss, which have few kernels.
  EXPECT_LT(computes(1, "1 ms"), 1.05 * computes(0, "1 ms"));
}

TEST(ParallelRun, WeightsInFp8AreHalfAsMuchToGather) {
  const auto gathered = [](const char* weights) {
    const json job = {
        {"network", gpt(24, 2048, 16)}, {"parallel", "zero1"}, {"precision", "fp8"},
        {"weights", weights},           {"micro_batch", 1},    {"samples_per_epoch", 6400}};
    return test::run_one(R"({"name": "fp8", "hosts": {"h": {"server": "dgx-h100"}}, "job": )" +
                         job.dump() + "}")
        .training->sent_bytes.at("data parallel");
  };
  EXPECT_THROW(zero1(json::object(), {{"weights", "fp8"}}), std::exception) << "products in fp16";
  const double parameters = 24 * 12 * 2048.0 * 2048 + 51200 * 2048.0;
  EXPECT_NEAR(gathered("16bit") - gathered("fp8"), parameters * 7 / 8, parameters * 0.01);
}

TEST(ParallelRun, Gpt3OnOneV100Takes288YearsAndDoesNotFit) {
  // 300 G tokens at the 34.7 TFLOP/s that the paper's 288 years imply.
  const auto job = [](const char* more) {
    return std::string(R"({"name": "one", "hosts": {"h": {"server": "generic-1gpu",
      "gpus": "1 x v100-pcie-32gb"}}, "job": {"network": "gpt-3-175b", "sequence_length": 2048,
      "achieved_share": 0.31, "micro_batch": 1, "samples_per_epoch": 146484375, "epochs": 1,
      "optimizer": "none"})") +
           more + "}";
  };
  const auto refused = test::run_one(job(""));
  EXPECT_TRUE(refused.refused);
  EXPECT_EQ(refused.warnings.front().rule, "job-does-not-fit");
  const auto counted = test::run_one(job(R"(, "idealise": {"memory": "unlimited"})"));
  const double years = counted.training->training_s / (365.25 * 86400);
  EXPECT_NEAR(years, 288, 288 * 0.05);
}

/// Whether a job fits into its GPUs.
bool fits(int hosts, const json& job) { return on_dgx(hosts, job).memory->fits(); }

TEST(JobMemory, StatesTakeSixteenBytesAParameterWithAdam) {
  // ZeRO, section 3.1: 7.5 G parameters take 120 GB (these are 7.47); over 64 ranks 31.4, 16.6
  // and 1.9 GB.
  const auto states = [](const char* sharding) {
    const auto memory = *on_dgx(8, {{"network", gpt(36, 4096, 32)},
                                    {"parallel", {{"sharding", sharding}}},
                                    {"gradients", "fp16"},
                                    {"micro_batch", 1},
                                    {"samples_per_epoch", 6400}})
                             .memory;
    const auto& parts = memory.parts;
    return parts.at("weights") + parts.at("gradients") + parts.at("optimizer states");
  };
  const double all = 7.468e9 * 16;
  EXPECT_NEAR(states("none"), all, all * 0.01);
  EXPECT_NEAR(states("zero1") / states("none"), 31.4 / 120, 0.005);
  EXPECT_NEAR(states("zero2") / states("none"), 16.6 / 120, 0.005);
  EXPECT_NEAR(states("zero3") / states("none"), 1.9 / 120, 0.005);
}

TEST(ParallelRun, ShardedParametersBesideAPipelineAreGatheredOnce) {
  const auto with = [](const char* sharding) {
    return on_dgx(2, {{"network", gpt(32, 2048, 16)},
                      {"parallel", {{"pipeline", 4}, {"sharding", sharding}}},
                      {"global_batch", 64},
                      {"micro_batch", 1},
                      {"samples_per_epoch", 6400}});
  };
  EXPECT_EQ(with("zero3").training->iteration, with("zero1").training->iteration);
  EXPECT_EQ(with("zero3").memory->parts, with("zero1").memory->parts);
}

TEST(JobMemory, VerdictsAreThoseOfPublishedRuns) {
  const auto with = [](const json& network, const json& parallel, const char* recompute,
                       std::int64_t micro_batch) {
    return json{{"network", network},
                {"parallel", parallel},
                {"recompute", recompute},
                {"micro_batch", micro_batch},
                {"samples_per_epoch", 6400}};
  };
  // Llama 2 7B: full fine-tuning with Adam does not fit on one A100 of 80 GB, over eight with FSDP
  // it does. GPT-3 175B runs on 96 x 8 GPUs as Megatron-LM cut it, and not with tensor parallelism
  // alone.
  EXPECT_FALSE(fits(1, with("llama-2-7b", {{"sharding", "none"}}, "full", 1)));
  EXPECT_TRUE(fits(1, with("llama-2-7b", {{"sharding", "zero3"}}, "full", 1)));
  EXPECT_TRUE(fits(16, with("gpt-3-175b", {{"tensor", 8}, {"pipeline", 16}}, "full", 1)));
  EXPECT_FALSE(fits(1, with("gpt-3-175b", {{"tensor", 8}}, "full", 1)));
  EXPECT_FALSE(fits(1, with("llama-2-70b", {{"sharding", "zero3"}}, "full", 1)));
  EXPECT_TRUE(fits(8, with("llama-2-70b", {{"sharding", "zero3"}}, "full", 1)));
}

TEST(JobMemory, SmallerProfilesHoldLess) {
  const auto refused = [](const char* profile) {
    return test::run_one(R"({"name": "profile", "hosts": {"h": {"server": "generic-1gpu",
        "gpus": "1 x a100-pcie-80gb"}}, "vms": {"a": {"host": "h", "gpus": {"mode": "vgpu",
        "count": 1, "profile": ")" +
                         std::string(profile) + R"("}}}, "job": {"network": "gpt-2-1.5b",
        "batch_per_gpu": 1, "samples_per_epoch": 1000}})")
        .refused;
  };
  EXPECT_FALSE(refused("grid_a100d-80c"));
  EXPECT_TRUE(refused("grid_a100d-20c")) << "16 bytes x 1.56 G parameters";
}

/// Trees reduce all of it or nothing: NCCL ends with an error where a job with only them reduces
/// and scatters. Preparing finds that, and not the first collective that is run.
TEST(ShardedJobs, NeedAnAlgorithmForEachOfTheirCollectives) {
  for (const char* parallel : {"zero1", "fsdp"}) {
    const std::string text = std::string(R"({"name": "x", "hosts": {"h": {"server":
        "hgx-h200-4nic"}}, "job": {"network": "transformer-big", "iterations_per_epoch": 1,
        "parallel": ")") + parallel +
                             R"(", "nccl": {"NCCL_ALGO": "Tree"}}})";
    const auto answer =
        scenario::validate_scenario(input::make_source("x.json", text), test::library(), {});
    ASSERT_FALSE(answer) << parallel;
    EXPECT_NE(input::render(answer.error()).find("exclude every algorithm"), std::string::npos)
        << input::render(answer.error());
  }
}

}  // namespace parallel_run_test
}  // namespace vgsim
