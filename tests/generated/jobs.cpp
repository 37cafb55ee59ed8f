#include <fmt/format.h>

#include <algorithm>

#include "tests/generated/draft.hpp"

namespace vgsim::generated {
namespace {

const std::vector<std::string> kCollectives = {"all_reduce", "reduce_scatter", "all_gather",
                                               "broadcast",  "reduce",         "all_to_all",
                                               "send_recv",  "all_reduce",     "all_reduce"};
const std::vector<std::string> kPatterns = {"nccl", "hierarchical",     "direct",
                                            "nccl", "halving_doubling", "parameter_server"};

std::int64_t total_gpus(const Draft& draft) {
  std::int64_t total = 0;
  for (const DraftHosts& on : draft.hosts) {
    total += on.gpus * static_cast<std::int64_t>(on.names.size());
  }
  return total;
}

/// A divisor of a number, so that an axis of a parallel job comes out even.
std::int64_t divisor(Draft& draft, std::int64_t of, std::int64_t most) {
  std::vector<std::int64_t> divisors;
  for (std::int64_t d = 1; d <= std::min(of, most); ++d) {
    if (of % d == 0) divisors.push_back(d);
  }
  return divisors.empty() ? 1 : draft.dice.pick(divisors);
}

std::string a_rank(Draft& draft) {
  if (!draft.vms.empty()) return draft.dice.pick(draft.vms) + "/gpu0";
  const DraftHosts& on = draft.dice.pick(draft.hosts);
  return fmt::format("{}/gpu{}", draft.dice.pick(on.names),
                     draft.dice.between(0, std::max<std::int64_t>(0, on.gpus - 1)));
}

void add_nccl(Draft& draft, Json& job) {
  Dice& dice = draft.dice;
  static const std::vector<std::vector<std::string>> kVariables = {
      {"NCCL_ALGO", "Ring", "Tree", "Ring,Tree"},
      {"NCCL_PROTO", "Simple", "LL", "LL128"},
      {"NCCL_P2P_LEVEL", "NVL", "PIX", "SYS"},
      {"NCCL_NET_GDR_LEVEL", "PHB", "SYS", "LOC"},
      {"NCCL_P2P_DISABLE", "0", "1"},
      {"NCCL_SHM_DISABLE", "0", "1"},
      {"NCCL_MIN_NCHANNELS", "2", "8"},
      {"NCCL_MAX_NCHANNELS", "1", "4", "16"},
      {"NCCL_NVLS_ENABLE", "0", "1"},
      {"NCCL_CROSS_NIC", "0", "1", "2"},
      {"NCCL_COLLNET_ENABLE", "0", "1"},
      {"NCCL_IB_DISABLE", "0", "1"},
      {"NCCL_BUFFSIZE", "1048576", "8388608"},
      {"NCCL_PXN_DISABLE", "0", "1"}};
  if (dice.chance(0.12)) job["nccl"]["version"] = dice.pick(draft.words.releases);
  for (std::int64_t i = dice.chance(0.12) ? dice.between(1, 2) : 0; i > 0; --i) {
    const auto& variable = dice.pick(kVariables);
    job["nccl"][variable[0]] = variable[1 + dice.below(variable.size() - 1)];
  }
}

void add_ranks(Draft& draft, Json& job) {
  Dice& dice = draft.dice;
  if (dice.chance(0.06)) {
    for (std::int64_t i = dice.between(1, 4); i > 0; --i) job["ranks"].push_back(a_rank(draft));
  } else if (dice.chance(0.05) && !draft.vms.empty()) {
    job["vms"] = dice.chance(0.5) ? Json("train*") : Json::array({dice.pick(draft.vms)});
  }
}

void add_collective(Draft& draft, Json& job) {
  Dice& dice = draft.dice;
  static const std::vector<std::string> kSizes = {"8 B .. 1 GiB x32", "1 GiB", "64 kB .. 64 MiB x4",
                                                  "256 MiB",          "1 B",   "8 B .. 8 GiB x8"};
  static const std::vector<std::string> kTypes = {"fp32", "fp16", "int8", "fp8", "uint64"};
  job["collective"] = dice.pick(kCollectives);
  job["sizes"] = dice.pick(kSizes);
  if (dice.chance(0.1)) job["sizes"] = Json::array({"1 MiB", "3 MB", "1000001 B"});
  maybe(draft, job, 0.1, "data_type", [&] { return dice.pick(kTypes); });
  maybe(draft, job, 0.05, "gpus_per_thread", [&] { return dice.between(1, 2); });
  maybe(draft, job, 0.08, "fidelity", [&] { return dice.chance(0.5) ? "chunk" : "fluid"; });
  if (job["collective"] == "all_reduce") {
    maybe(draft, job, 0.3, "pattern", [&] { return dice.pick(kPatterns); });
  }
  maybe(draft, job, 0.06, "beside", [&] {
    Json beside = {{"collective", dice.pick(kCollectives)},
                   {"ranks", {a_rank(draft), a_rank(draft)}}};
    if (dice.chance(0.5)) beside["size"] = "16 MiB";
    return Json::array({beside});
  });
}

Json transformer(Draft& draft) {
  Dice& dice = draft.dice;
  const std::int64_t heads = std::int64_t{1} << dice.between(1, 6);
  Json blocks = {{"layers", dice.between(1, 48)},
                 {"hidden", heads * dice.pick(std::vector<int>{16, 64, 128})},
                 {"heads", heads},
                 {"vocabulary", dice.between(1000, 130000)}};
  maybe(draft, blocks, 0.3, "kv_heads", [&] { return divisor(draft, heads, heads); });
  maybe(draft, blocks, 0.3, "gated", [] { return true; });
  maybe(draft, blocks, 0.2, "norm", [] { return "rms"; });
  maybe(draft, blocks, 0.2, "causal", [&] { return dice.chance(0.5); });
  maybe(draft, blocks, 0.2, "experts", [&] {
    const std::int64_t count = std::int64_t{1} << dice.between(1, 4);
    return Json{{"count", count}, {"per_token", dice.between(1, count)}};
  });
  return {{"name", "described transformer"},
          {"sample", {{"sequence_length", dice.pick(std::vector<int>{128, 512, 2048})}}},
          {"transformer", blocks}};
}

Json layers(Draft& draft) {
  Dice& dice = draft.dice;
  Json made = {{"name", "described layers"}};
  for (std::int64_t i = dice.between(1, 4); i > 0; --i) {
    Json layer = {
        {"name", fmt::format("layer{}", i)},
        {"tensors", Json::array({Json::array({"weight", dice.between(1, 40000000)})})},
        {"forward_flops", {{"per_sample", fmt::format("{} MFLOP", dice.between(1, 9000))}}},
        {"activations", {{"per_sample", dice.between(0, 1000000)}}}};
    maybe(draft, layer, 0.5, "kernels", [&] { return dice.between(0, 5); });
    maybe(draft, layer, 0.3, "repeat", [&] { return dice.between(1, 40); });
    maybe(draft, layer, 0.06, "placement", [] { return "sharded"; });
    made["layers"].push_back(std::move(layer));
  }
  return made;
}

Json measured_step(Draft& draft) {
  Dice& dice = draft.dice;
  Json step = {
      {"measured", {{{"batch", 8}, {"time", fmt::format("{} ms", dice.between(1, 400))}}}}};
  if (dice.chance(0.4)) {
    step["measured"].push_back(
        {{"batch", 64}, {"time", fmt::format("{} ms", dice.between(400, 3000))}});
  } else if (dice.chance(0.5)) {
    step["busy"] = 0.1 * static_cast<double>(dice.between(1, 10));
  }
  return {{"name", "measured program"}, {"step", step}};
}

void add_network(Draft& draft, Json& job) {
  Dice& dice = draft.dice;
  static const std::vector<std::int64_t> kBatches = {1, 2, 4, 8, 16, 32, 32, 64, 128, 256};
  if (dice.chance(0.84)) {
    const std::string name =
        dice.pick(dice.chance(0.85) ? draft.words.usual_networks : draft.words.networks);
    job["network"] = name;
    draft.transformer = draft.words.transformers.contains(name);
    draft.text = draft.words.texts.contains(name);
  } else {
    const std::uint64_t kind = dice.below(3);
    draft.transformer = draft.text = kind == 0;
    job["network"] = kind == 0   ? transformer(draft)
                     : kind == 1 ? layers(draft)
                                 : measured_step(draft);
  }
  if (dice.chance(0.04)) job["network"] = any_value(draft, "/job/network", 9);
  job["batch_per_gpu"] = dice.pick(kBatches);
}

void add_length(Draft& draft, Json& job) {
  Dice& dice = draft.dice;
  const std::uint64_t kind = dice.below(10);
  if (kind < 3)
    job["iterations_per_epoch"] = dice.pick(std::vector<int>{1, 2, 3, 10, 1000, 100000});
  if (kind >= 3 && kind < 7) {
    job["samples_per_epoch"] = dice.pick(std::vector<int>{1, 1000, 100000, 10000000});
  }
  if (kind >= 8 && !draft.text) job["samples_per_epoch"] = 5000;
  if (kind == 7) job["dataset"] = dice.pick(draft.words.datasets);
  if (kind == 8 && draft.text)
    job["tokens"] = dice.pick(std::vector<std::int64_t>{1000000, 10000000000});
  maybe(draft, job, 0.3, "epochs", [&]() -> Json {
    if (dice.chance(0.05)) return "to_target";
    return dice.pick(std::vector<int>{1, 2, 3, 90, 1000000});
  });
}

Json parallel(Draft& draft) {
  Dice& dice = draft.dice;
  static const std::vector<std::string> kShardings = {"none", "zero1", "zero2", "zero3", "fsdp"};
  if (!draft.transformer || dice.chance(0.35)) return dice.pick(kShardings);
  const std::int64_t per_host = draft.hosts[0].gpus;
  const std::int64_t total = total_gpus(draft);
  Json split = Json::object();
  if (dice.chance(0.6)) split["tensor"] = divisor(draft, per_host, 8);
  const std::int64_t tensor = split.value("tensor", std::int64_t{1});
  if (dice.chance(0.4))
    split["pipeline"] = divisor(draft, std::max<std::int64_t>(1, total / tensor), 8);
  const std::int64_t pipeline = split.value("pipeline", std::int64_t{1});
  const std::int64_t left = std::max<std::int64_t>(1, total / tensor / pipeline);
  if (dice.chance(0.15)) split["context"] = divisor(draft, left, 4);
  if (dice.chance(0.1)) split["expert"] = divisor(draft, left, 8);
  if (dice.chance(0.4)) split["sharding"] = dice.pick(kShardings);
  if (dice.chance(0.2)) split["sequence"] = true;
  if (dice.chance(0.1)) split["data"] = "all";
  if (dice.chance(0.1) && pipeline > 1) split["virtual_stages"] = dice.between(1, 3);
  static const std::vector<std::string> kSchedules = {"1f1b", "gpipe", "zero-bubble"};
  if (dice.chance(0.2) && pipeline > 1) split["schedule"] = dice.pick(kSchedules);
  const std::string sharding = split.value("sharding", "none");
  const bool sharded = sharding == "zero3" || sharding == "fsdp";
  if (dice.chance(sharded ? 0.3 : 0.01)) split["shard_size"] = divisor(draft, left, 8);
  static const std::vector<std::string> kSyncs = {"each", "last-between-copies", "last"};
  if (dice.chance(sharding == "none" ? 0.01 : 0.2)) split["gradient_sync"] = dice.pick(kSyncs);
  if (dice.chance(sharded ? 0.3 : 0.01)) split["reshard_after_forward"] = dice.chance(0.5);
  if (dice.chance(split.contains("context") ? 0.5 : 0.01))
    split["context_exchange"] = dice.chance(0.5) ? "heads" : "ring";
  static const std::vector<std::string> kOverlaps = {"none", "gradients", "products"};
  if (dice.chance(0.1)) split["tensor_overlap"] = dice.pick(kOverlaps);
  return split;
}

/// What transformers alone have, and now and then others.
double suits(const Draft& draft, double share) { return draft.transformer ? share : 0.004; }

void add_how_it_trains(Draft& draft, Json& job) {
  Dice& dice = draft.dice;
  static const std::vector<std::string> kPrecisions = {"fp32", "tf32", "fp16", "bf16", "fp16",
                                                       "bf16", "fp16", "fp16", "fp8"};
  static const std::vector<std::string> kTypes = {"fp32", "fp16", "bf16"};
  static const std::vector<std::string> kOptimizers = {"sgd", "adam", "lamb", "none"};
  maybe(draft, job, 0.5, "precision", [&] { return dice.pick(kPrecisions); });
  maybe(draft, job, 0.4, "gradients", [&] { return dice.pick(kTypes); });
  maybe(draft, job, 0.4, "optimizer", [&] { return dice.pick(kOptimizers); });
  maybe(draft, job, 0.3, "parallel", [&] { return parallel(draft); });
  maybe(draft, job, 0.15, "accumulation", [&] { return dice.between(1, 16); });
  maybe(draft, job, 0.06, "global_batch", [&] { return total_gpus(draft) * dice.between(1, 64); });
  maybe(draft, job, 0.06, "micro_batch", [&] { return dice.between(1, 8); });
  maybe(draft, job, 0.1, "overlap", [&] { return dice.chance(0.3); });
  maybe(draft, job, 0.15, "pattern", [&] { return dice.pick(kPatterns); });
  maybe(draft, job, job.contains("parallel") ? 0.02 : 0.15, "buckets", [&]() -> Json {
    if (dice.chance(0.3)) return "single";
    if (dice.chance(0.4)) return Json{{"cycle", fmt::format("{} ms", dice.between(1, 10))}};
    return Json{{"first", "1 MiB"}, {"cap", fmt::format("{} MiB", dice.between(1, 100))}};
  });
  static const std::vector<std::string> kRecomputed = {"none", "selective", "full"};
  maybe(draft, job, suits(draft, 0.25), "recompute", [&] { return dice.pick(kRecomputed); });
  maybe(draft, job, suits(draft, 0.15), "lora", [&] {
    return Json{{"rank", dice.between(1, 64)}};
  });
  maybe(draft, job, suits(draft, 0.2), "flash_attention", [&]() -> Json {
    return dice.chance(0.5) ? Json(dice.chance(0.5)) : Json(dice.between(1, 3));
  });
  maybe(draft, job, 0.05, "copies", [&] { return dice.between(1, 4); });
  static const std::vector<std::string> kDecoders = {"cpu", "gpu", "none"};
  maybe(draft, job, 0.15, "input", [&] {
    Json input = {{"decode", dice.pick(kDecoders)}};
    if (dice.chance(0.3)) input["cached"] = true;
    if (dice.chance(0.2)) input["path"] = "gpudirect_storage";
    return input;
  });
  maybe(draft, job, 0.15, "checkpoints", [&] {
    Json saved = {{"every", fmt::format("{} min", dice.between(1, 60))}};
    if (dice.chance(0.7)) saved["save"] = fmt::format("{} s", dice.between(1, 60));
    if (dice.chance(0.5)) saved["restore"] = fmt::format("{} s", dice.between(1, 90));
    if (dice.chance(0.3)) saved["overlap"] = true;
    if (saved.contains("overlap") && dice.chance(0.5)) saved["snapshot"] = "2 s";
    return saved;
  });
}

}  // namespace

void add_job(Draft& draft) {
  Json job = Json::object();
  draft.training = draft.dice.chance(0.68);
  if (draft.training) {
    add_network(draft, job);
    add_length(draft, job);
    add_how_it_trains(draft, job);
  } else {
    add_collective(draft, job);
  }
  add_nccl(draft, job);
  add_ranks(draft, job);
  draft.scenario["job"] = std::move(job);
}

}  // namespace vgsim::generated
